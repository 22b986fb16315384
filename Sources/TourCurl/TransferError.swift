/// Why an exchange with another machine failed; it reaches no further than that exchange.
package struct TransferError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part of it that callers decide by.
    package enum Kind: String, Sendable {
        /// Unknown name, no route, or a closed port.
        case unreachable = "no connection"
        /// No byte was transferred for too long, or the exchange took too long as a whole.
        case timeout = "no answer in time"
        /// The connection ended early, or its bytes made no sense; for a mail also: it was not taken.
        case broken = "the connection broke off"
        case cancelled = "cancelled"
        /// The peer did not show that it is the one that was named.
        case certificate = "another machine's certificate"
        /// The answer exceeds its bound.
        case tooLong = "too long an answer"
        /// The file that should contain authorities contains none.
        case badAuthority = "no certificate in the file of authorities"
        /// libcurl is not installed here.
        case noLibrary = "libcurl is not installed"
    }

    /// The part of it that callers decide by.
    package let kind: Kind
    /// A sentence for logs, mostly the library's: of a mail server's answer it has the code alone. Empty without one.
    let words: String
    /// Whether a mail server never takes this mail: for its sender, its recipient, or what it says.
    package let isRefusal: Bool

    /// - Parameter words: a sentence for logs.
    /// - Parameter isRefusal: see there.
    package init(_ kind: Kind, _ words: String = "", isRefusal: Bool = false) {
        self.kind = kind
        self.words = words
        self.isRefusal = isRefusal
    }

    package var description: String { words.isEmpty ? kind.rawValue : words }

    /// Two are equal when their kinds are, whatever the words.
    package static func == (left: TransferError, right: TransferError) -> Bool { left.kind == right.kind }

    package func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}
