/// A handshake as data: the tokens of each message, the initiator's first.
/// Source: Noise revision 34, sections 7 and 9.
package struct HandshakePattern: Hashable, Sendable {
    /// A token of a message, with the specification's names.
    package enum Token: Hashable, Sendable {
        /// Ephemeral key, static key, the four Diffie-Hellman operations, pre-shared key.
        case e, s, ee, es, se, ss, psk
    }

    /// The pattern and its modifiers, as in the protocol name.
    package let name: String
    /// The tokens of each message, in order.
    package let messages: [[Token]]

    /// Whether some message mixes in a pre-shared key.
    package var usesPSK: Bool { messages.contains { $0.contains(.psk) } }

    /// The full protocol name with our functions: X25519, ChaCha20-Poly1305, BLAKE2b.
    package var protocolName: String { "Noise_\(name)_25519_ChaChaPoly_BLAKE2b" }

    /// Both sides send their static key.
    package static let XX = HandshakePattern(name: "XX", messages: [[.e], [.e, .ee, .s, .es], [.s, .se]])
    /// The same with a pre-shared key mixed in from the first byte on.
    package static let XXpsk0 = HandshakePattern(
        name: "XXpsk0", messages: [[.psk, .e], [.e, .ee, .s, .es], [.s, .se]])
}
