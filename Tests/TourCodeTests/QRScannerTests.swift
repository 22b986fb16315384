import CZBar
import Testing
import TourCode

/// Goal: what one device shows another reads, from aslant and in bad light too; a frame without a code, or of nonsense,
/// is no trouble. Method: codes are painted into grey pictures, which are turned, scaled and spoilt.
@Suite struct QRScannerTests {
    private static let link = "tour-chat://join/ABCD-EFGH-JKLM?a=192.168.1.20:4711&a=[fe80::1]:4711"

    @Test(arguments: [link, "x", "Grüße, 日本語 🎉", String(repeating: "0123456789", count: 40)])
    func whatIsDrawnIsRead(text: String) throws {
        #expect(try GreyPicture(QRCode(text), pixelsPerModule: 4).texts == [text])
    }

    @Test(arguments: [
        (0.0, 1.0, 0.7), (1.0, 0.0, 1.0), (0.0, -1.0, 1.3), (0.2588, 0.9659, 1.0), (0.7071, 0.7071, 1.2),
        (-0.5, 0.8660, 0.9),
    ])
    func aslantAndScaled(sine: Double, cosine: Double, scale: Double) throws {
        let shown = try GreyPicture(QRCode(Self.link), pixelsPerModule: 5)
        #expect(try shown.turned(sine: sine, cosine: cosine, scale: scale).texts == [Self.link])
    }

    @Test(arguments: UInt64(1)...8) func inBadLight(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let shown = try GreyPicture(QRCode(Self.link), pixelsPerModule: 6)
        #expect(try shown.dimmed(noise: 15, &chance).texts == [Self.link])
    }

    @Test func severalCodesAndOneTwice() throws {
        var picture = GreyPicture(width: 900, height: 500)
        for (index, text) in ["first", "second", "first"].enumerated() {
            picture.paint(try QRCode(text), pixelsPerModule: 5, left: 20 + 300 * index, top: 40 + 90 * index)
        }
        #expect(try Set(picture.texts) == ["first", "second"])
        #expect(try picture.texts.count == 2)
    }

    @Test func nothingIsReadWhereNoCodeIs() throws {
        var chance = Chance(seed: 7)
        for (width, height) in [(21, 21), (640, 480), (1_920, 1_080), (1_080, 1_920), (1_920, 21)] {
            var picture = GreyPicture(width: width, height: height)
            #expect(try picture.texts.isEmpty)
            for index in picture.pixels.indices { picture.pixels[index] = UInt8(chance.next(below: 256)) }
            #expect(try picture.texts.isEmpty)
        }
    }

    /// Half a code, and codes with modules turned over, which no correction mends.
    @Test func spoiltCodesAreNoTrouble() throws {
        var chance = Chance(seed: 11)
        let code = try QRCode(Self.link)
        for round in 0..<40 {
            var picture = GreyPicture(code, pixelsPerModule: 4)
            for _ in 0..<(round * 60) {
                let (x, y) = (chance.next(below: code.columns) * 4, chance.next(below: code.columns) * 4)
                for row in y..<y + 4 {
                    for column in x..<x + 4 { picture.pixels[row * picture.width + column] ^= 255 }
                }
            }
            let texts = try picture.texts
            #expect(texts.isEmpty || texts == [Self.link])
        }
        let whole = GreyPicture(code, pixelsPerModule: 4)
        let half = Array(whole.pixels.prefix(whole.width * (whole.height / 2)))
        #expect(try QRScanner.texts(in: half, width: whole.width, height: whole.height / 2).isEmpty)
    }

    @Test(arguments: [
        (0, 0, 0), (20, 21, 420), (100, 100, 9_999), (100, 100, 10_001), (100, 100, 0), (-100, -100, 10_000),
        (1_921, 100, 192_100), (1_920, 1_081, 2_075_520), (Int.max, Int.max, 1), (Int.max, 2, 0),
    ])
    func wrongSizesAreRefused(width: Int, height: Int, count: Int) {
        #expect(throws: CodeError.badFrame) {
            try QRScanner.texts(in: [UInt8](repeating: 0, count: count), width: width, height: height)
        }
    }

    @Test func aMissingLibraryIsNoTrouble() {
        #expect(!code_reader_library_load("libzbar-that-is-not-there.so.0"))
        // Another library lacks its functions.
        #expect(!code_reader_library_load("libm.so.6"))
        #expect(QRScanner.isAvailable)
    }
}
