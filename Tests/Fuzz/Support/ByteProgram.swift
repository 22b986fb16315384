/// Reads an input as a program: a few bytes at a time, zeros when there are no more.
package struct ByteProgram {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { position == bytes.count }

    package mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    package mutating func flag() -> Bool { byte() & 1 == 1 }

    /// - Parameter limit: 1...256.
    package mutating func number(below limit: Int) -> Int { Int(byte()) % limit }

    /// Small numbers, the largest of all and some beside them, or any.
    package mutating func sequence() -> UInt64 {
        switch byte() {
        case let small where small < 240: UInt64(small)
        case let large where large < 248: .max - UInt64(large - 240)
        default: (0..<8).reduce(0) { value, _ in value << 8 | UInt64(byte()) }
        }
    }

    /// Up to 255 bytes, behind their number.
    package mutating func chunk() -> [UInt8] { take(Int(byte())) }

    package mutating func take(_ count: Int) -> [UInt8] {
        let end = min(position + count, bytes.count)
        defer { position = end }
        return Array(bytes[position..<end])
    }

    package mutating func rest() -> [UInt8] { take(bytes.count) }
}
