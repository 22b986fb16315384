import TourModel

/// Why a link ended. Every fault has the scope link: it affects neither the peer's other links nor our store.
package enum LinkFault: String, Fault {
    /// The hello names a version that this node does not support.
    case unknownVersion = "unknown-version"
    /// The hello matches no secret of ours: the peer is a stranger.
    case stranger = "stranger"
    /// The hello's salt was seen before.
    case replayedHello = "replayed-hello"
    /// Peers that know a secret began more handshakes than this node computes.
    case tooManyHandshakes = "too-many-handshakes"
    /// A handshake message that does not verify.
    case handshakeFailed = "handshake-failed"
    /// A frame that does not decrypt, or arrives out of order.
    case decryptionFailed = "decryption-failed"
    /// Frame, slice or message bytes that decode to no value of the protocol.
    case malformed = "malformed-frame"
    /// A message that this state of the link does not allow.
    case unexpectedMessage = "unexpected-message"
    /// The bind's signature, tour or key does not match the handshake.
    case badBind = "bad-bind"
    /// The host's tour is not the one that the code names.
    case falseTour = "false-tour"
    /// The join request's signatures do not verify.
    case badJoinRequest = "bad-join-request"
    /// The peer of a restricted link sent too much, or the link stayed restricted for too long.
    case restrictedLimit = "restricted-limit"
    /// The peer was silent for `Limits.deadPeerTimeout`.
    case deadPeer = "dead-peer"
    /// The handshake did not finish within `Limits.handshakeTimeout`.
    case handshakeTimeout = "handshake-timeout"

    package var code: String { rawValue }
    package var scope: FaultScope { .link }
}
