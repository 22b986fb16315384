import TourModel
import TourWire

/// How the epochs of a tour replace one another, and which are heads: a pure function of the set of control events.
/// Source: `Protocol/05-events.md`, "Heads".
package struct EpochGraph: Sendable {
    /// All known epochs.
    package private(set) var epochs: [EpochID: Epoch]
    /// Sound epochs that no sound epoch replaces, ascending. Never empty: the first epoch is sound.
    package private(set) var heads: [EpochID] = []
    /// Why epochs are no heads although no sound epoch replaces them.
    package private(set) var faults: [EpochID: EpochFault] = [:]
    /// The heads and all known epochs that they replace, directly or not.
    package private(set) var settled: Set<EpochID> = []
    /// Rekeys beyond the number that one author may write.
    let surplus: Set<EpochID>
    /// The longest path from an epoch back to one without known parents: an epoch's successors have longer ones.
    private let depths: [EpochID: Int]
    /// Each epoch comes before those that it replaces.
    private let order: [EpochID]

    /// More than any leader needs: each admission to a tour without full history takes one.
    package static let rekeysPerAuthorMax = 4_096

    /// - Parameter epochs: the first and those of all rekeys, in any order.
    package init(_ epochs: some Collection<Epoch>, _ holders: KeyHolders) {
        let known = Dictionary(epochs.map { ($0.id, $0) }) { first, _ in first }
        self.epochs = known
        let depths = Self.depths(known)
        self.depths = depths
        order = Self.ordered(known.keys, depths)
        surplus = Self.surplus(known)
        judge(holders)
    }

    /// Recomputes the heads for another roster.
    package mutating func judge(_ holders: KeyHolders) {
        heads = []
        faults = [:]
        settled = []
        for id in order where !settled.contains(id) {
            guard let epoch = epochs[id] else { continue }
            if let fault = fault(in: epoch, holders) {
                faults[id] = fault
                continue
            }
            heads.append(id)
            settle(id)
        }
        heads.sort()
    }

    private mutating func settle(_ head: EpochID) {
        var open = [head]
        while let id = open.popLast() {
            guard let epoch = epochs[id], settled.insert(id).inserted else { continue }
            open += epoch.parents
        }
    }

    /// The most important first: heads, epochs that they replace, all others; within each, the longest path first.
    func byWeight(_ ids: some Sequence<EpochID>) -> [EpochID] {
        let heads = Set(heads)
        func weight(_ id: EpochID) -> Int { heads.contains(id) ? 0 : settled.contains(id) ? 1 : 2 }
        return Self.ordered(ids, depths).enumerated()
            .sorted { (weight($0.element), $0.offset) < (weight($1.element), $1.offset) }.map(\.element)
    }

    /// Whether `younger` replaces `older`, directly or not.
    package func isAncestor(_ older: EpochID, of younger: EpochID) -> Bool {
        older != younger && before(younger).contains(older)
    }

    /// Those of the candidates that this epoch neither replaces nor is replaced by.
    func concurrent(with epoch: EpochID, of candidates: some Sequence<EpochID>) -> [EpochID] {
        let before = before(epoch)
        let after = reached { $0.id == epoch }
        return candidates.filter { !before.contains($0) && !after.contains($0) }
    }

    /// An epoch and all known ones that it replaces.
    private func before(_ epoch: EpochID) -> Set<EpochID> {
        var found = Set<EpochID>()
        var open = [epoch]
        while let id = open.popLast() {
            guard let epoch = epochs[id], found.insert(id).inserted else { continue }
            open += epoch.parents
        }
        return found
    }

    /// The epochs that satisfy the test, and all that replace one of them.
    private func reached(_ isStart: (Epoch) -> Bool) -> Set<EpochID> {
        var found = Set<EpochID>()
        for id in order.reversed() {
            guard let epoch = epochs[id] else { continue }
            if isStart(epoch) || epoch.parents.contains(where: found.contains) { found.insert(id) }
        }
        return found
    }

    /// The settled ones of these epochs that no other of them replaces, ascending.
    func newest(of candidates: Set<EpochID>) -> [EpochID] {
        var replaced = Set<EpochID>()
        var newest = [EpochID]()
        for id in order where candidates.contains(id) && settled.contains(id) && !replaced.contains(id) {
            newest.append(id)
            var open = epochs[id]?.parents ?? []
            while let id = open.popLast() {
                guard let epoch = epochs[id], replaced.insert(id).inserted else { continue }
                open += epoch.parents
            }
        }
        return newest.sorted()
    }

    /// The epochs whose key, or that of an epoch they replace, names this member: it was a member when they were
    /// created.
    func following(_ member: MemberID) -> Set<EpochID> { reached { $0.names(member) } }

    /// Whether this device cannot compute on its own the key that these epochs' keys form together.
    func shutsOut(_ device: MemberID, from epochs: [EpochID]) -> Bool {
        epochs.contains { self.epochs[$0]?.excludes(device) == true }
    }

    private static func depths(_ epochs: [EpochID: Epoch]) -> [EpochID: Int] {
        var found = [EpochID: Int]()
        // An id covers its parents' ids, so there is no cycle; no recursion, since a chain may exceed the stack.
        for start in epochs.keys where found[start] == nil {
            var waiting = [start]
            while let id = waiting.last {
                guard found[id] == nil, let epoch = epochs[id] else {
                    waiting.removeLast()
                    continue
                }
                let missing = epoch.parents.filter { found[$0] == nil && epochs[$0] != nil }
                guard missing.isEmpty else {
                    waiting += missing
                    continue
                }
                found[id] = epoch.parents.reduce(0) { max($0, (found[$1] ?? 0) + 1) }
                waiting.removeLast()
            }
        }
        return found
    }

    private static func ordered(_ ids: some Sequence<EpochID>, _ depths: [EpochID: Int]) -> [EpochID] {
        ids.map { (depth: depths[$0] ?? 0, id: $0) }.sorted { ($1.depth, $0.id) < ($0.depth, $1.id) }.map(\.id)
    }

    /// For authors that wrote more rekeys than they may, those beyond the first ones of their logs.
    private static func surplus(_ epochs: [EpochID: Epoch]) -> Set<EpochID> {
        var found = Set<EpochID>()
        for written in Dictionary(grouping: epochs.values.filter { $0.rekey != nil }, by: \.author).values
        where written.count > rekeysPerAuthorMax {
            let ordered = written.sorted { ($0.sequence, $0.id) < ($1.sequence, $1.id) }
            found.formUnion(ordered[rekeysPerAuthorMax...].map(\.id))
        }
        return found
    }

    private func fault(in epoch: Epoch, _ holders: KeyHolders) -> EpochFault? {
        guard let rekey = epoch.rekey else { return nil }
        guard holders.leaders.contains(epoch.author), !surplus.contains(epoch.id) else { return .notAllowed }
        let parents = rekey.parents.compactMap { epochs[$0] }
        guard parents.count == rekey.parents.count else { return .unknownParent }
        guard rekey.recipients.allSatisfy({ holders.member(prefix: $0.member) != nil }) else { return .ghostMember }
        guard let digest = holders.digest(of: rekey.recipients) else { return .unknownWrappingKey }
        guard digest == rekey.roster else { return .wrongRoster }
        let named = Set(rekey.recipients.map(\.member))
        let excluded = Set(rekey.excluded)
        guard named.isDisjoint(with: excluded) else { return .forgottenRemoval }
        let isUnlawful = rekey.excluded.contains {
            $0 == epoch.author.prefix || holders.isActive($0, notBelow: epoch.author)
        }
        if isUnlawful { return .unlawfulExclusion }
        let active = Set(holders.nameable.map(\.prefix))
        for parent in parents {
            // A device that is active as far as we know may have returned since.
            let isForgotten = (parent.rekey?.excluded ?? []).contains { !excluded.contains($0) && holders.hasGone($0) }
            if isForgotten { return .forgottenRemoval }
            let isLeftOut = (parent.rekey?.recipients ?? []).contains {
                active.contains($0.member) && !named.contains($0.member)
            }
            if isLeftOut { return .missingMember }
        }
        return nil
    }
}
