import TourModel

/// Why a Noise message was rejected. Every error ends the link; the state is as it was before the message.
package enum NoiseError: Fault {
    /// The message does not authenticate: it was changed, out of order, or made with other keys.
    case decryptionFailed
    /// The message is too short for its keys and tags.
    case messageTooShort
    /// More than 65,535 bytes.
    case messageTooLong
    /// A public key of low order, which would add no secret.
    case badPoint
    /// A message was read or written on the other side's turn, or after the end of the handshake.
    case outOfTurn
    /// All nonces of a key have been used.
    case nonceExhausted

    package var scope: FaultScope { .link }

    package var code: String {
        switch self {
        case .decryptionFailed: "noise-decryption-failed"
        case .messageTooShort: "noise-message-too-short"
        case .messageTooLong: "noise-message-too-long"
        case .badPoint: "noise-bad-point"
        case .outOfTurn: "noise-out-of-turn"
        case .nonceExhausted: "noise-nonce-exhausted"
        }
    }
}
