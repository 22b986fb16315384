import TourModel

// The admission of a seat: its request names no handshake, and shows every reader of the log that it is a seat, and
// whose. Source: `Protocol/15-seats.md`, "Request".
extension JoinRequest {
    /// A seat's request, signed by its identity and by its host's licence.
    package static func ofSeat(
        identity: SigningKeyPair, linkKey: LinkKey, wrappingKey: WrappingKey, host: MemberID, licence: SigningKeyPair,
        tour: TourID
    ) -> JoinRequest {
        .signed(
            identity: identity, linkKey: linkKey, wrappingKey: wrappingKey, invite: licence, tour: tour,
            handshakeHash: seatMark(tour, identity.publicKey, host))
    }

    /// The member whose seat this request makes; nil for a request of another kind: no handshake yields such bytes.
    package func seatHost(of tour: TourID) -> MemberID? {
        guard let host = MemberID(handshakeHash.suffix(Bytes32.count)),
            handshakeHash == Self.seatMark(tour, identity, host)
        else { return nil }
        return host
    }

    /// H("seat", tour id, identity, host) || host.
    private static func seatMark(_ tour: TourID, _ identity: SigningKey, _ host: MemberID) -> [UInt8] {
        Hash.of(.seat, tour.bytes, identity.bytes, host.bytes).bytes + host.bytes
    }
}
