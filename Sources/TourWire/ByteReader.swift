/// Reads big-endian fields from bytes; a read beyond the end returns nil.
package struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    package init(_ bytes: some Collection<UInt8>) {
        self.bytes = ArraySlice(bytes)
        position = self.bytes.startIndex
    }

    /// The number of bytes not read yet.
    package var remaining: Int { bytes.endIndex - position }

    /// The next big-endian integer; nil if too few bytes are left.
    package mutating func integer<Integer: FixedWidthInteger & UnsignedInteger>(
        _ type: Integer.Type = Integer.self
    ) -> Integer? {
        guard let slice = slice(Integer.bitWidth / 8) else { return nil }
        return slice.reduce(0) { $0 << 8 | Integer(truncatingIfNeeded: $1) }
    }

    /// The next `count` bytes; nil if too few are left.
    package mutating func slice(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// All bytes not read yet.
    package mutating func rest() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }
}
