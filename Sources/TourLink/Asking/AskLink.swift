import TourCrypto
import TourModel

/// An open ask link: a conversation between two who know nothing of each other. Source: `Protocol/14-asking.md`.
package struct AskLink: Sendable {
    /// The tour as its members announce it.
    package var tag: DiscoveryTag
    /// The tour that the asker asks for, for the side that was asked; the asker does not know it.
    package var tour: TourID?
    /// The hash of the handshake's transcript, 64 bytes, unique to this link.
    package var handshakeHash: [UInt8]
    /// Whether this side asks.
    package var isAsker: Bool { tour == nil }

    package init(tag: DiscoveryTag, tour: TourID?, handshakeHash: [UInt8]) {
        self.tag = tag
        self.tour = tour
        self.handshakeHash = handshakeHash
    }
}

/// What an asker dials with.
package struct AskTicket: Sendable {
    /// The tour that is asked for, as its members announce it.
    package var tag: DiscoveryTag
    /// For one link alone.
    package var link: LinkKeyPair

    package init(tag: DiscoveryTag) {
        self.tag = tag
        link = LinkKeyPair()
    }
}

/// Why an exchange on an ask link ends. Each has the scope link.
package enum AskFault: String, Fault {
    /// A message out of turn, or of the other side's.
    case unexpectedMessage = "unexpected-message"
    /// The asker's nonce is not the one that it committed to.
    case badCommitment = "bad-commitment"
    /// A share that is no element of the group, or leads to the identity.
    case badShare = "bad-share"
    /// The member does not know the digits.
    case wrongCode = "wrong-code"
    /// The member's answer holds an invite code that was copied wrongly.
    case codeMistyped = "code-mistyped"
    /// It holds one of another version.
    case codeVersion = "code-version"

    package var code: String { rawValue }
    package var scope: FaultScope { .link }
}
