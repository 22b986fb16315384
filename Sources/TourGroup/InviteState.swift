import TourModel
import TourWire

/// The state of an invite, or of a licence to give seats, in the roster.
package struct InviteState: Hashable, Sendable {
    /// The invite's public key.
    package let key: SigningKey
    /// The event that created it.
    package let event: EventID
    /// The member that created it.
    package let author: MemberID
    /// The clock of the event that created it.
    package let createdAt: LogicalClock
    /// The epoch whose key seals the join secret.
    package let epoch: EpochID
    /// The join secret, sealed; of a licence the seed of its key pair.
    package let sealedSecret: [UInt8]
    /// How many admissions it allows; 0: any number.
    package let uses: Int
    /// Milliseconds since 1970; nil: open until the tour ends.
    package let expiresAt: Int64?
    /// The member whom it lets give seats; nil: it lets people in by a code.
    package let host: MemberID?
    /// The admissions under it that count.
    package internal(set) var used = 0
    /// Whether an event revokes it.
    package internal(set) var isRevoked = false
    /// More devices were admitted than it allows: somebody passed its code on. Those beyond the number are void.
    package internal(set) var isOverused = false

    init(_ body: ControlBody.Invite, event: Event) {
        key = body.key
        self.event = event.id
        author = event.header.author
        createdAt = event.header.clock
        epoch = body.epoch
        sealedSecret = body.sealedSecret
        host = body.host
        uses = Int(body.uses)
        expiresAt = body.expiresAt == 0 ? nil : Int64(clamping: body.expiresAt)
    }

    /// Whether all its uses are taken.
    package var isUsedUp: Bool { uses > 0 && used >= uses }

    /// Whether the invite admits devices at this wall time. Expiry is advisory: clocks differ.
    package func isOpen(wallMilliseconds: Int64) -> Bool {
        !isRevoked && !isUsedUp && (expiresAt ?? .max) > wallMilliseconds
    }
}
