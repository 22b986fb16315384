import TourModel

// How a server's archive comes into a tour: its request names no handshake, and says what it is to everybody who reads
// the log. Source: `Protocol/09-mailbox.md`, "Archive".
extension JoinRequest {
    /// A request of an archive, which the invite has still to sign: that pair stays with the member that lets it in.
    /// - Parameter challenge: random bytes of that member, so that no old answer does.
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

    /// The same, as its keys and signature came from elsewhere.
    /// - Returns: nil unless the signature is the identity's.
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

    /// 32 random bytes for one question.
    package static func archiveChallenge() -> Bytes32 { Bytes32(exactly: Randomness.bytes(Bytes32.count)) }

    /// Whether whom this lets in is an archive: no handshake comes to such bytes.
    package func isArchive(of tour: TourID) -> Bool {
        guard let challenge = Bytes32(handshakeHash.suffix(Bytes32.count)) else { return false }
        return handshakeHash == Self.archiveMark(tour, identity, challenge)
    }

    /// H("archive", tour id, identity, challenge) || challenge.
    private static func archiveMark(_ tour: TourID, _ identity: SigningKey, _ challenge: Bytes32) -> [UInt8] {
        Hash.of(.archive, tour.bytes, identity.bytes, challenge.bytes).bytes + challenge.bytes
    }
}
