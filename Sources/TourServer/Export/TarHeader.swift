/// The header of one file in a tar archive, in the form that every tar reads: a name beyond 100 ASCII characters, or a
/// size beyond eight GiB, stands in an extended header in front.
/// Source: POSIX.1-2024, pax, "ustar Interchange Format" and "pax Extended Header".
package struct TarHeader: Hashable, Sendable {
    /// Header and contents fill whole blocks of this many bytes.
    package static let blockBytes = 512
    /// The end of an archive.
    package static let end = [UInt8](repeating: 0, count: 2 * blockBytes)

    private let name: String
    private let size: Int64
    private let modified: Int64

    /// - Parameter name: the path, with `/` between its parts.
    /// - Parameter size: the length of the content in bytes.
    /// - Parameter modified: seconds since 1970.
    package init(name: String, size: Int64, modified: Int64) {
        self.name = name
        self.size = size
        self.modified = modified
    }

    /// The header, in whole blocks.
    package var bytes: [UInt8] {
        let plain = Array(name.utf8.map { $0 > 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "_") }.prefix(Self.nameBytes))
        var records = [UInt8]()
        if Array(name.utf8) != plain { records += Self.record("path", name) }
        if size > Self.sizeMax { records += Self.record("size", String(size)) }
        let head = block(plain, size: size > Self.sizeMax ? 0 : size, kind: UInt8(ascii: "0"))
        guard !records.isEmpty else { return head }
        return block(plain, size: Int64(records.count), kind: UInt8(ascii: "x")) + records
            + Self.padding(Int64(records.count)) + head
    }

    /// The zeros that follow a content of this many bytes.
    package static func padding(_ size: Int64) -> [UInt8] {
        let rest = Int(size % Int64(blockBytes))
        return [UInt8](repeating: 0, count: rest == 0 ? 0 : blockBytes - rest)
    }

    private static let nameBytes = 100
    /// The largest number of eleven octal digits.
    private static let sizeMax: Int64 = 0o77_777_777_777
    private static let sumPlace = 148..<156

    private func block(_ name: [UInt8], size: Int64, kind: UInt8) -> [UInt8] {
        var block = name + [UInt8](repeating: 0, count: Self.nameBytes - name.count)
        block += Self.octal(0o600, digits: 7) + Self.octal(0, digits: 7) + Self.octal(0, digits: 7)
        block += Self.octal(size, digits: 11) + Self.octal(min(max(modified, 0), Self.sizeMax), digits: 11)
        // The sum is counted over the block with spaces in its place.
        block += [UInt8](repeating: 0x20, count: Self.sumPlace.count)
        block += [kind] + [UInt8](repeating: 0, count: Self.nameBytes) + Array("ustar\u{0}00".utf8)
        block += [UInt8](repeating: 0, count: Self.blockBytes - block.count)
        let sum = block.reduce(Int64(0)) { $0 + Int64($1) }
        block.replaceSubrange(Self.sumPlace, with: Self.octal(sum, digits: 6) + [0x20])
        return block
    }

    /// With a zero byte behind.
    private static func octal(_ value: Int64, digits: Int) -> [UInt8] {
        let text = String(value, radix: 8)
        return Array((String(repeating: "0", count: max(digits - text.count, 0)) + text).utf8) + [0]
    }

    /// `30 path=…`, where the number is the length of the whole record, its own digits included.
    private static func record(_ key: String, _ value: String) -> [UInt8] {
        let rest = " \(key)=\(value)\n"
        var length = rest.utf8.count
        while String(length).utf8.count + rest.utf8.count != length {
            length = String(length).utf8.count + rest.utf8.count
        }
        return Array("\(length)\(rest)".utf8)
    }
}
