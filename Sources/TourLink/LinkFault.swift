import TourModel

/// Why a link ended. Every one has the scope link: the peer's other links and our store are untouched.
package enum LinkFault: String, Fault {
    /// The hello names a version that this node does not speak.
    case unknownVersion = "unknown-version"
    /// No secret of ours matches the hello: a stranger.
    case stranger = "stranger"
    /// The hello's salt was seen before.
    case replayedHello = "replayed-hello"
    /// Who knows a secret began more handshakes than are worked out.
    case tooManyHandshakes = "too-many-handshakes"
    /// A handshake message that does not verify.
    case handshakeFailed = "handshake-failed"
    /// A frame that does not decrypt, or comes in no valid order.
    case decryptionFailed = "decryption-failed"
    /// Frame, slice or message bytes that are no value of the protocol.
    case malformed = "malformed-frame"
    /// A message that this state of the link does not allow.
    case unexpectedMessage = "unexpected-message"
    /// The bind's signature, tour or key does not fit the handshake.
    case badBind = "bad-bind"
    /// The tour behind the code is not the one that the code names.
    case falseTour = "false-tour"
    /// The join request's signatures do not fit.
    case badJoinRequest = "bad-join-request"
    /// A restricted link said too much or took too long.
    case restrictedLimit = "restricted-limit"
    /// Nothing was heard for `Limits.deadPeerTimeout`.
    case deadPeer = "dead-peer"
    /// The handshake was not done within `Limits.handshakeTimeout`.
    case handshakeTimeout = "handshake-timeout"

    package var code: String { rawValue }
    package var scope: FaultScope { .link }
}
