import TourModel

/// What a member signs to show itself to a server. Source: `Protocol/09-mailbox.md`, "Member proof".
package enum MemberProof {
    /// What a proof is good for.
    package enum Purpose: String, Sendable {
        case auth, group, bind
    }

    /// What the identity's signature covers.
    /// - Parameter host: the `Host` header of the request that carries the proof.
    /// - Parameter nonce: as the server wrote it.
    package static func digest(
        _ purpose: Purpose, tour: TourID, member: MemberID, host: String, nonce: String
    ) -> [UInt8] {
        Hash.of(
            .mailbox, Array(purpose.rawValue.utf8), tour.bytes, member.bytes, Array(host.utf8), Array(nonce.utf8)
        ).bytes
    }
}

/// What a member signs of a server's frontier. Source: `Protocol/09-mailbox.md`, "Synced".
package enum SyncedRow {
    /// What the identity's signature covers.
    /// - Parameter row: exact bytes of a `FrontierRow`.
    package static func digest(_ row: [UInt8], of member: MemberID, tour: TourID) -> [UInt8] {
        Hash.of(.synced, tour.bytes, member.bytes, row).bytes
    }
}
