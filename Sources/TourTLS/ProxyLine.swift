import Glibc

/// The line with which stunnel begins a decrypted connection: where it came from.
/// Source: The PROXY protocol, section 2.1, "Human-readable header format (Version 1)".
package struct ProxyLine: Equatable, Sendable {
    /// The longest line, with its end, in bytes.
    package static let bytesMax = 107

    /// What the beginning of a connection is.
    package enum Reading: Equatable, Sendable {
        /// Of a line whose end is to come.
        case incomplete
        /// Of something else.
        case malformed
        /// A line of so many bytes, with its end.
        case whole(ProxyLine, bytes: Int)
    }

    /// The address that the connection came from, and the one that it reached.
    package let source, target: String
    package let sourcePort, targetPort: UInt16

    /// - Parameter bytes: all that has come.
    package static func read(_ bytes: some Collection<UInt8>) -> Reading {
        let start = Array(bytes.prefix(bytesMax))
        guard start.starts(with: "PROXY ".utf8.prefix(start.count)) else { return .malformed }
        guard let end = start.indices.dropLast().first(where: { start[$0] == 13 && start[$0 + 1] == 10 }) else {
            return start.count < bytesMax ? .incomplete : .malformed
        }
        return ProxyLine(start[..<end]).map { .whole($0, bytes: end + 2) } ?? .malformed
    }

    private init?(_ line: ArraySlice<UInt8>) {
        let words = line.split(separator: 32, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard words.count == 6, let family = ["TCP4": AF_INET, "TCP6": AF_INET6][words[1]],
            Self.isAddress(words[2], family), Self.isAddress(words[3], family),
            let sourcePort = Self.port(words[4]), let targetPort = Self.port(words[5])
        else { return nil }
        (source, target, self.sourcePort, self.targetPort) = (words[2], words[3], sourcePort, targetPort)
    }

    private static func isAddress(_ word: String, _ family: Int32) -> Bool {
        var address = in6_addr()
        return !word.utf8.contains(0) && inet_pton(family, word, &address) == 1
    }

    private static func port(_ word: String) -> UInt16? {
        guard word.utf8.allSatisfy({ (48...57).contains($0) }), word.first != "0" else { return nil }
        return UInt16(word)
    }
}
