import TourModel
import TourWire

// What is held of a tour's control events has bounds, the same ones on all nodes.
// Source: `Protocol/05-events.md`, "Share".
extension TourGroup {
    /// What was held before and is dropped since this was asked last: no log holds it.
    package mutating func takeDropped() -> Set<EventID> {
        defer { dropped = [] }
        return dropped
    }

    /// Drops what is beyond its author's share, and what hung on that: members whom nobody else let in, and forks.
    mutating func dropExcess(_ effort: Effort) {
        guard shares.isOverfull else { return }
        drop(shares.excess(in: controls.values), effort)
        isRosterStale = true
    }

    /// Authors who have a rank now, and of whom acts that came before it did not wait here: they are in their logs.
    package mutating func takeMissingActs() -> Set<MemberID> { unranked.takeMissing() }

    /// Drops what nobody needs beyond the shares of those who wrote it, or below whom they stand who did. The roster
    /// stays as it is, since it rests on none of that.
    /// - Returns: whether any went.
    mutating func dropNeedless(_ effort: Effort) -> Bool {
        let shares = HostShares(members: Set(roster.members.keys), ranked: unranked.ranked, controls: controls)
        let excess = shares.excess(beside: self.shares.bytes(of:), isNeeded: isBasis)
        guard !excess.isEmpty else { return false }
        let wasStale = isRosterStale
        drop(excess, effort)
        isRosterStale = wasStale
        return true
    }

    /// Drops these events, and what hung on them.
    private mutating func drop(_ excess: Set<EventID>, _ effort: Effort) {
        let left = controls.values.filter { !excess.contains($0.event.id) && $0.event.id != genesis.event.id }
        dropped.formUnion(excess)
        (controls, identities) = ([genesis.event.id: genesis], identities.filter { $0.key == genesis.author })
        forkWatch = ForkWatch()
        shares.restart()
        // Outward from those who are known: who is made known on the way has its turn then.
        var open = Dictionary(grouping: left, by: \.author)
        var known = open.keys.filter { identities[$0] != nil }
        var refused = [ControlRecord]()
        while let author = known.popLast() {
            for record in open.removeValue(forKey: author) ?? [] {
                effort.spend()
                if take(record) { known += [record.admitted].compactMap { $0 } } else { refused.append(record) }
            }
        }
        refused += open.values.joined()
        for record in refused { waiting[record.event.id] = try? RawEvent(decoding: record.event.bytes) }
        dropped.formUnion(refused.map(\.event.id))
    }
}
