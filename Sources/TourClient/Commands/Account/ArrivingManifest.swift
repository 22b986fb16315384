import Foundation

/// The manifest of an account's export, which is read while the archive arrives in pieces: its last file, which names
/// what the server has lost.
/// Source: `Protocol/10-server.md`, "Export"; POSIX.1-2024, pax, "ustar Interchange Format".
package struct ArrivingManifest: Sendable {
    private static let blockBytes = 512
    private static let name = "manifest.json"
    /// A longer one is not read, in bytes: a hundred thousand documents fit.
    private static let bytesMax = 16 * 1024 * 1024

    private var head: [UInt8] = []
    /// Bytes of the present file that are still to come, and of the zeros behind it.
    private var contentLeft = 0
    private var paddingLeft = 0
    /// nil in another file.
    private var content: [UInt8]?
    /// False from a block on that is no head of a file.
    private var isSound = true

    /// Before the first byte.
    package init() {}

    /// Takes in the next bytes.
    package mutating func add(_ piece: [UInt8]) {
        var rest = piece[...]
        while isSound, !rest.isEmpty {
            if contentLeft > 0 {
                let part = rest.prefix(contentLeft)
                content?.append(contentsOf: part)
                contentLeft -= part.count
                rest = rest.dropFirst(part.count)
            } else if paddingLeft > 0 {
                let part = rest.prefix(paddingLeft)
                paddingLeft -= part.count
                rest = rest.dropFirst(part.count)
            } else {
                let part = rest.prefix(Self.blockBytes - head.count)
                head += part
                rest = rest.dropFirst(part.count)
                if head.count == Self.blockBytes { beginFile() }
            }
        }
    }

    private mutating func beginFile() {
        defer { head = [] }
        // The archive ends with blocks of zeros.
        guard head.contains(where: { $0 != 0 }) else { return }
        let digits = String(decoding: head[124..<136].prefix { $0 != 0 && $0 != 0x20 }, as: UTF8.self)
        guard let size = Int(digits, radix: 8), size >= 0 else { return isSound = false }
        (contentLeft, paddingLeft) = (size, (Self.blockBytes - size % Self.blockBytes) % Self.blockBytes)
        let name = String(decoding: head[..<100].prefix { $0 != 0 }, as: UTF8.self)
        content = name == Self.name && size <= Self.bytesMax ? [] : nil
    }

    /// The paths of files that the server has lost; nil while there is no manifest that can be read.
    package var missing: [String]? {
        struct Manifest: Decodable { var missing: [String] }
        guard let content, contentLeft == 0 else { return nil }
        return (try? JSONDecoder().decode(Manifest.self, from: Data(content)))?.missing
    }
}
