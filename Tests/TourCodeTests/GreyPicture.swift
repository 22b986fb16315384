import TourCode

/// A grey picture that codes are painted into, and what a camera does to it.
struct GreyPicture {
    let width: Int
    let height: Int
    var pixels: [UInt8]

    init(width: Int, height: Int, grey: UInt8 = 255) {
        (self.width, self.height) = (width, height)
        pixels = [UInt8](repeating: grey, count: width * height)
    }

    /// A code with its quiet zone, as it is shown.
    init(_ code: QRCode, pixelsPerModule: Int) {
        self.init(width: code.columns * pixelsPerModule, height: code.columns * pixelsPerModule)
        paint(code, pixelsPerModule: pixelsPerModule, left: 0, top: 0)
    }

    mutating func paint(_ code: QRCode, pixelsPerModule scale: Int, left: Int, top: Int) {
        for row in 0..<code.columns * scale {
            for column in 0..<code.columns * scale where code.isDark(row: row / scale, column: column / scale) {
                pixels[(top + row) * width + left + column] = 0
            }
        }
    }

    var texts: [String] { get throws { try QRScanner.texts(in: pixels, width: width, height: height) } }

    /// Seen from the side of its middle, on grey: each pixel is taken from where this turned and scaled plane has it.
    /// - Parameter sine: of the angle, with its cosine.
    func turned(sine: Double, cosine: Double, scale: Double) -> GreyPicture {
        let side = Int(1.5 * Double(max(width, height)) * scale)
        var seen = GreyPicture(width: side, height: side, grey: 200)
        for row in 0..<side {
            for column in 0..<side {
                let (x, y) = ((Double(column) - Double(side) / 2) / scale, (Double(row) - Double(side) / 2) / scale)
                let source = (
                    Int((cosine * x + sine * y + Double(width) / 2).rounded(.down)),
                    Int((cosine * y - sine * x + Double(height) / 2).rounded(.down))
                )
                guard (0..<width).contains(source.0), (0..<height).contains(source.1) else { continue }
                seen.pixels[row * side + column] = pixels[source.1 * width + source.0]
            }
        }
        return seen
    }

    /// In bad light: little between dark and light, and each pixel off by up to `noise`.
    func dimmed(noise: Int, _ chance: inout Chance) -> GreyPicture {
        var seen = self
        for index in pixels.indices {
            let grey = 60 + Int(pixels[index]) * 110 / 255
            seen.pixels[index] = UInt8(clamping: grey + chance.next(below: 2 * noise + 1) - noise)
        }
        return seen
    }
}

/// The same numbers at each run. Source: Knuth's MMIX constants.
struct Chance {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}
