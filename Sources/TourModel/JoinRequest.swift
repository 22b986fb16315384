/// Three public keys, signed by their identity and by the invite over this handshake.
/// Source: `Protocol/07-joining.md`.
package struct JoinRequest: Hashable, Sendable {
    /// The handshake hash's length in bytes.
    package static let handshakeHashLength = 64

    /// The joiner's identity key.
    package var identity: SigningKey
    /// The joiner's link key.
    package var linkKey: LinkKey
    /// The joiner's wrapping key.
    package var wrappingKey: WrappingKey
    /// The invite's public key.
    package var invite: SigningKey
    /// The hash of the handshake, which binds the request to its link.
    package var handshakeHash: [UInt8]
    /// The identity's signature over the request.
    package var identitySignature: [UInt8]
    /// The invite's signature over the request.
    package var inviteSignature: [UInt8]

    package init(
        identity: SigningKey, linkKey: LinkKey, wrappingKey: WrappingKey, invite: SigningKey,
        handshakeHash: [UInt8], identitySignature: [UInt8], inviteSignature: [UInt8]
    ) {
        self.identity = identity
        self.linkKey = linkKey
        self.wrappingKey = wrappingKey
        self.invite = invite
        self.handshakeHash = handshakeHash
        self.identitySignature = identitySignature
        self.inviteSignature = inviteSignature
    }
}
