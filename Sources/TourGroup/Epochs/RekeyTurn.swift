import TourCrypto
import TourModel

/// Why a new epoch is due. Source: `Protocol/05-events.md`, "When to rekey".
package enum RekeyReason: Hashable, Sendable {
    /// A removed device is not shut out of every combination of keys.
    case removal
    /// There are several heads.
    case merge
    /// A member left, a log forked, or a device was admitted by a code that was revoked or used up: that device holds a
    /// key.
    case leaving
    /// A head's own wrap yielded no key.
    case unreadable
    /// The tour's first use on a new day.
    case day

    /// The time between the turns of two members that may rekey, in the order of their lots: usually the first are
    /// present.
    var slot: Duration {
        switch self {
        case .removal, .merge: .seconds(2)
        case .leaving, .unreadable: .seconds(10)
        case .day: .seconds(30)
        }
    }
}

extension TourGroup {
    private static let dayMilliseconds: Int64 = 86_400_000
    /// Leaving, forking a log or misusing a code costs the tour a new epoch at most this often, and less often after
    /// several in a day: each uses some of its author's share, and anybody can cause them.
    private static let leavingPause: Int64 = 600_000
    private static let leavingPauseLater: Int64 = 7_200_000
    private static let epochsBeforeLater = 12
    /// Our own clock may be some days behind.
    private static let leadMax: Int64 = 7 * 86_400_000

    /// Why this member should create a new epoch now.
    /// - Parameter usedAt: when the tour was last used here, in milliseconds since 1970.
    /// - Parameter isPrompt: whether we ended a code ourselves: those excluded by that wait for no pause.
    /// - Returns: nil when it need not, or may not.
    package func rekeyReason(
        for own: MemberID, wallMilliseconds: Int64, usedAt: Int64, isPrompt: Bool = false
    ) -> RekeyReason? {
        let holders = keyring.holders
        let graph = keyring.graph
        guard !roster.isClosed, holders.rekeyers.contains(own) else { return nil }
        if holders.barred.contains(where: { !graph.shutsOut($0, from: graph.heads) }) { return .removal }
        if graph.heads.count > 1 { return .merge }
        let dates = graph.heads.compactMap { graph.epochs[$0]?.clock.milliseconds }
        // A head dated so far ahead has no date: otherwise it would suppress these reasons for good.
        let newest = dates.filter { $0 - wallMilliseconds <= Self.leadMax }.max() ?? 0
        let age = wallMilliseconds - newest
        // No rekey is made for more outsiders than it can name: the next day's epoch leaves them out all the same.
        let isNameable = holders.outsiders.count <= Limits.rekeyExcludedMax
        let pause =
            epochs(since: wallMilliseconds - Self.dayMilliseconds) < Self.epochsBeforeLater
            ? Self.leavingPause : Self.leavingPauseLater
        if isPrompt || isNameable && age >= pause,
            holders.outsiders.contains(where: { !graph.shutsOut($0, from: graph.heads) })
        {
            return .leaving
        }
        if graph.heads.contains(where: { !keyring.isHeld($0) && keyring.wrapFaults[$0] != nil }) { return .unreadable }
        let today = wallMilliseconds / Self.dayMilliseconds
        let isUsed = usedAt / Self.dayMilliseconds == today
        return isUsed && newest / Self.dayMilliseconds < today ? .day : nil
    }

    /// How many epochs are dated since this time, in milliseconds since 1970.
    package func epochs(since milliseconds: Int64) -> Int {
        keyring.graph.settled.count { keyring.graph.epochs[$0].map { $0.clock.milliseconds >= milliseconds } ?? false }
    }

    /// How long this member waits before it rekeys, so that usually only one does: by its place among those that may,
    /// in the order of H("rekey-lot", member, heads), plus a random delay.
    package func rekeyDelay(
        of own: MemberID, for reason: RekeyReason, using rng: inout some RandomNumberGenerator
    ) -> Duration {
        let heads = keyring.graph.heads.flatMap(\.bytes)
        let lots = keyring.holders.rekeyers.map { (lot: Hash.of(.rekeyLot, $0.bytes, heads), member: $0) }
        let place = lots.sorted { ($0.lot, $0.member) < ($1.lot, $1.member) }.firstIndex { $0.member == own } ?? 0
        let chance = Int64.random(in: 0..<Self.jitterParts, using: &rng)
        return reason.slot * place + reason.slot * Int(chance) / Int(2 * Self.jitterParts)
    }

    /// The number of parts into which half a slot is divided.
    private static let jitterParts: Int64 = 1_000
}
