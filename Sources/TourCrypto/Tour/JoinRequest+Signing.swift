import TourModel

extension JoinRequest {
    /// A signed request by the holder of an invite, bound to one handshake. Source: `Protocol/07-joining.md`.
    package static func signed(
        identity: SigningKeyPair, linkKey: LinkKey, wrappingKey: WrappingKey, invite: SigningKeyPair, tour: TourID,
        handshakeHash: [UInt8]
    ) -> JoinRequest {
        var request = JoinRequest(
            identity: identity.publicKey, linkKey: linkKey, wrappingKey: wrappingKey, invite: invite.publicKey,
            handshakeHash: handshakeHash, identitySignature: [], inviteSignature: [])
        let claim = request.claim(tour: tour).bytes
        request.identitySignature = identity.sign(claim)
        request.inviteSignature = invite.sign(claim)
        return request
    }

    /// Whether the identity and the invite both signed this request for this tour.
    package func isSigned(tour: TourID) -> Bool {
        let claim = claim(tour: tour).bytes
        return identity.verifies(identitySignature, of: claim) && invite.verifies(inviteSignature, of: claim)
    }

    /// H("join", tour id, identity, link key, wrapping key, invite key, handshake hash): the bytes that both keys sign.
    func claim(tour: TourID) -> Bytes32 {
        Hash.of(.join, tour.bytes, identity.bytes, linkKey.bytes, wrappingKey.bytes, invite.bytes, handshakeHash)
    }
}
