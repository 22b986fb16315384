import TourModel
import TourWire

// The bounds of a tour's control events, identical on all nodes.
// Source: `Protocol/05-events.md`, "Share".
extension TourGroup {
    /// Returns the events dropped since the last call: no log holds them.
    package mutating func drainDropped() -> Set<EventID> {
        defer { dropped = [] }
        return dropped
    }

    /// Drops events beyond their author's share, and what depended on them: members that nobody else admitted, and
    /// forks.
    mutating func dropExcess(_ effort: Effort) {
        guard shares.isOverfull else { return }
        drop(shares.excess(in: controls.values), effort)
        isRosterStale = true
    }

    /// Returns the authors that now have a rank and whose earlier acts did not wait here: they are in their logs.
    package mutating func drainMissingActs() -> Set<MemberID> { unranked.drainMissing() }

    /// Drops needless events beyond the shares of their authors, or of who introduced them. The roster stays as is,
    /// since it depends on none of them.
    /// - Returns: whether any was dropped.
    mutating func dropNeedless(_ effort: Effort) -> Bool {
        let shares = IntroducedShares(members: Set(roster.members.keys), ranked: unranked.ranked, controls: controls)
        let excess = shares.excess(beside: self.shares.bytes(of:), isNeeded: isBasis)
        guard !excess.isEmpty else { return false }
        let wasStale = isRosterStale
        drop(excess, effort)
        isRosterStale = wasStale
        return true
    }

    /// Drops these events, and what depended on them.
    private mutating func drop(_ excess: Set<EventID>, _ effort: Effort) {
        let left = controls.values.filter { !excess.contains($0.event.id) && $0.event.id != genesis.event.id }
        dropped.formUnion(excess)
        (controls, identities) = ([genesis.event.id: genesis], identities.filter { $0.key == genesis.author })
        forkWatch = ForkWatch()
        shares.restart()
        // Outward from known authors: each author introduced on the way gets its turn.
        var open = Dictionary(grouping: left, by: \.author)
        var known = open.keys.filter { identities[$0] != nil }
        var refused = [ControlRecord]()
        while let author = known.popLast() {
            for record in open.removeValue(forKey: author) ?? [] {
                effort.spend()
                if accept(record) { known += [record.admitted].compactMap { $0 } } else { refused.append(record) }
            }
        }
        refused += open.values.joined()
        for record in refused { waiting[record.event.id] = try? RawEvent(decoding: record.event.bytes) }
        dropped.formUnion(refused.map(\.event.id))
    }
}
