/// Writes PNG files as they are, uncompressed. Source: PNG, third edition, chapters 10 and 11; RFC 1950; RFC 1951.
struct PNGWriter {
    var width: Int
    var height: Int
    /// Red, green and blue, and an opacity where there are four.
    var channels = 3

    /// A file whose left half has one colour and whose right half another.
    func halves(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        file { column, _, channel in (column < width / 2 ? left : right)[channel] }
    }

    /// A file in which every pixel has a colour of its own, drawn from a seed.
    func noise(seed: UInt64 = 1) -> [UInt8] {
        var state = seed
        return file { _, _, _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
    }

    /// - Parameter rows: how many the file has, whatever its header says.
    func file(rows: Int? = nil, _ value: (_ column: Int, _ row: Int, _ channel: Int) -> UInt8) -> [UInt8] {
        var raw: [UInt8] = []
        for row in 0..<(rows ?? height) {
            raw.append(0)
            for column in 0..<width {
                for channel in 0..<channels { raw.append(value(column, row, channel)) }
            }
        }
        return Self.signature + Self.chunk("IHDR", header) + Self.chunk("IDAT", Self.stored(raw))
            + Self.chunk("IEND", [])
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private var header: [UInt8] {
        Self.bytes(UInt32(width)) + Self.bytes(UInt32(height)) + [8, channels == 4 ? 6 : 2, 0, 0, 0]
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + content
        return bytes(UInt32(content.count)) + checked + bytes(checksum(checked))
    }

    /// CRC-32. Source: ISO 3309.
    private static func checksum(_ content: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in content {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    /// Adler-32. Source: RFC 1950, section 9.
    private static func adler(_ content: [UInt8]) -> UInt32 {
        var (low, high) = (UInt32(1), UInt32(0))
        for byte in content {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func stored(_ raw: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let block = raw[start..<min(start + 65_535, raw.count)]
            start = block.endIndex
            let length = UInt16(block.count)
            stream.append(start == raw.count ? 1 : 0)
            for half in [length, ~length] { stream += [UInt8(half & 0xFF), UInt8(half >> 8)] }
            stream += block
        } while start < raw.count
        return stream + bytes(adler(raw))
    }
}
