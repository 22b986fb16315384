import TourModel

/// A file's type: `type/subtype`, in lower-case letters. Source: RFC 6838, section 4.2.
package struct MediaType: Hashable, Sendable {
    package let text: String

    /// The type of a file about which nothing is known. Source: RFC 2046, section 4.5.1.
    package static let unknown = "application/octet-stream"

    /// From the output of `file`, which has types of its own for files without content, such as `inode/x-empty`.
    package init?(_ words: [UInt8]) {
        let line = words.prefix { $0 != UInt8(ascii: "\n") }
        let parts = line.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, line.count <= Limits.mediaTypeBytesMax, parts.allSatisfy(Self.isName) else {
            return nil
        }
        text = String(decoding: line, as: UTF8.self)
        guard !text.hasPrefix("inode/") else { return nil }
    }

    private static func isName(_ part: some Collection<UInt8>) -> Bool {
        !part.isEmpty
            && part.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "!#$&-^_.+".utf8.contains(byte)
                }
            }
    }
}
