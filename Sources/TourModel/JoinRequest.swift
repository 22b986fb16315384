/// Three public keys, signed by their identity and by the invite over this handshake.
/// Source: `Protocol/07-joining.md`.
package struct JoinRequest: Hashable, Sendable {
    package static let handshakeHashLength = 64

    package var identity: SigningKey
    package var linkKey: LinkKey
    package var wrappingKey: WrappingKey
    package var invite: SigningKey
    package var handshakeHash: [UInt8]
    package var identitySignature: [UInt8]
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
