import TourModel

// The admission of a server's archive to a tour: its request names no handshake, and shows every reader of the log that
// it is an archive. Source: `Protocol/09-mailbox.md`, "Archive".
extension JoinRequest {
    /// An archive's request, still without the invite's signature: the invite's pair stays with the admitting member.
    /// - Parameter challenge: random bytes from that member, so that no old answer is valid.
    package static func ofArchive(
        identity: SigningKeyPair, linkKey: LinkKey, wrappingKey: WrappingKey, invite: SigningKey, tour: TourID,
        challenge: Bytes32
    ) -> JoinRequest {
        var request = JoinRequest(
            identity: identity.publicKey, linkKey: linkKey, wrappingKey: wrappingKey, invite: invite,
            handshakeHash: archiveMark(tour, identity.publicKey, challenge), identitySignature: [],
            inviteSignature: [])
        request.identitySignature = identity.sign(request.claim(tour: tour).bytes)
        return request
    }

    /// The same request, completed from the archive's keys and signature.
    /// - Returns: nil unless the identity made the signature.
    package static func ofArchive(
        identity: SigningKey, linkKey: LinkKey, wrappingKey: WrappingKey, signature: [UInt8], invite: SigningKeyPair,
        tour: TourID, challenge: Bytes32
    ) -> JoinRequest? {
        var request = JoinRequest(
            identity: identity, linkKey: linkKey, wrappingKey: wrappingKey, invite: invite.publicKey,
            handshakeHash: archiveMark(tour, identity, challenge), identitySignature: signature, inviteSignature: [])
        request.inviteSignature = invite.sign(request.claim(tour: tour).bytes)
        return request.isSigned(tour: tour) ? request : nil
    }

    /// 32 random bytes for one challenge.
    package static func archiveChallenge() -> Bytes32 { Bytes32(exactly: Randomness.bytes(Bytes32.count)) }

    /// Whether this request admits an archive: no handshake yields such bytes.
    package func isArchive(of tour: TourID) -> Bool {
        guard let challenge = Bytes32(handshakeHash.suffix(Bytes32.count)) else { return false }
        return handshakeHash == Self.archiveMark(tour, identity, challenge)
    }

    /// H("archive", tour id, identity, challenge) || challenge.
    private static func archiveMark(_ tour: TourID, _ identity: SigningKey, _ challenge: Bytes32) -> [UInt8] {
        Hash.of(.archive, tour.bytes, identity.bytes, challenge.bytes).bytes + challenge.bytes
    }
}
