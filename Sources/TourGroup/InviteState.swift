import TourModel
import TourWire

/// An invite as the roster sees it.
package struct InviteState: Hashable, Sendable {
    package let key: SigningKey
    package let event: EventID
    package let author: MemberID
    /// The clock of the event that made it.
    package let createdAt: LogicalClock
    package let epoch: EpochID
    package let sealedSecret: [UInt8]
    /// 0: any number.
    package let uses: Int
    /// Milliseconds since 1970; nil: when the tour ends.
    package let expiresAt: Int64?
    package internal(set) var used = 0
    package internal(set) var isRevoked = false
    /// More were let in than it has uses: somebody passed its code on. Those beyond the number are void.
    package internal(set) var isOverused = false

    init(_ body: ControlBody.Invite, event: Event) {
        key = body.key
        self.event = event.id
        author = event.header.author
        createdAt = event.header.clock
        epoch = body.epoch
        sealedSecret = body.sealedSecret
        uses = Int(body.uses)
        expiresAt = body.expiresAt == 0 ? nil : Int64(clamping: body.expiresAt)
    }

    package var isUsedUp: Bool { uses > 0 && used >= uses }

    /// Whether the invite lets somebody in at this wall time. Expiry is advisory: clocks differ.
    package func isOpen(wallMilliseconds: Int64) -> Bool {
        !isRevoked && !isUsedUp && (expiresAt ?? .max) > wallMilliseconds
    }
}
