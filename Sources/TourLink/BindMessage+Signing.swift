import TourCrypto
import TourModel
import TourWire

extension BindMessage {
    /// H("bind", handshake hash, role, tour id, link key): the bytes that a bind's signature covers.
    /// - Parameter role: the role of the side that has the link key.
    package static func claim(
        handshakeHash: [UInt8], role: HandshakeState.Role, tour: TourID, linkKey: LinkKey
    ) -> Bytes32 {
        Hash.of(.bind, handshakeHash, [role.rawValue], tour.bytes, linkKey.bytes)
    }

    /// Whether the identity in this bind signed for that side of this handshake.
    package func isSigned(
        handshakeHash: [UInt8], role: HandshakeState.Role, tour: TourID, linkKey: LinkKey
    ) -> Bool {
        let claim = Self.claim(handshakeHash: handshakeHash, role: role, tour: tour, linkKey: linkKey)
        return identity.verifies(signature, of: claim.bytes)
    }
}
