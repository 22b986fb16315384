import TourModel
import TourWire

/// How the epochs of a tour follow from one another, and which of them are its heads: a pure function of the set of
/// control events. Source: `Protocol/05-events.md`, "Heads".
package struct EpochGraph: Sendable {
    package private(set) var epochs: [EpochID: Epoch]
    /// Sound epochs that no sound epoch replaces, ascending. Never empty: the first epoch is sound.
    package private(set) var heads: [EpochID] = []
    /// Why epochs are no heads although nothing sound replaces them.
    package private(set) var faults: [EpochID: EpochFault] = [:]
    /// The heads and all that they replace, directly or not.
    package private(set) var settled: Set<EpochID> = []
    private let ancestors: [EpochID: Set<EpochID>]
    /// Descendants stand before what they replace.
    private let order: [EpochID]

    /// - Parameter epochs: the first and all that rekeys made, in any order.
    package init(_ epochs: some Collection<Epoch>, _ holders: KeyHolders) {
        let known = Dictionary(epochs.map { ($0.id, $0) }) { first, _ in first }
        self.epochs = known
        let ancestors = Self.ancestors(known)
        self.ancestors = ancestors
        order = known.keys.sorted { left, right in
            let (first, second) = (ancestors[left]?.count ?? 0, ancestors[right]?.count ?? 0)
            return first == second ? left < right : first > second
        }
        judge(holders)
    }

    /// Works the heads out anew, for another roster.
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
            settled.insert(id)
            settled.formUnion(ancestors[id] ?? [])
        }
        heads.sort()
    }

    package func isAncestor(_ older: EpochID, of younger: EpochID) -> Bool {
        ancestors[younger]?.contains(older) ?? false
    }

    /// Whether neither replaces the other.
    func areConcurrent(_ first: EpochID, _ second: EpochID) -> Bool {
        first != second && !isAncestor(first, of: second) && !isAncestor(second, of: first)
    }

    /// Of these epochs the settled ones that no other of them replaces, ascending.
    func newest(of candidates: Set<EpochID>) -> [EpochID] {
        var replaced = Set<EpochID>()
        var newest = [EpochID]()
        for id in order where candidates.contains(id) && settled.contains(id) && !replaced.contains(id) {
            newest.append(id)
            replaced.formUnion(ancestors[id] ?? [])
        }
        return newest.sorted()
    }

    /// Whether an epoch's key, or that of one which it replaces, was meant for this member: it was a member when the
    /// epoch was made.
    func precededBy(_ member: MemberID, _ id: EpochID) -> Bool {
        epochs[id]?.names(member) == true
            || (ancestors[id] ?? []).contains { epochs[$0]?.names(member) == true }
    }

    /// Whether this device cannot compute, by itself, the key that these epochs' keys make together.
    func shutsOut(_ device: MemberID, from epochs: [EpochID]) -> Bool {
        epochs.contains { self.epochs[$0]?.excludes(device) == true }
    }

    private static func ancestors(_ epochs: [EpochID: Epoch]) -> [EpochID: Set<EpochID>] {
        var found = [EpochID: Set<EpochID>]()
        // An id covers its parents' ids, so there is no circle; a chain may be longer than the stack is deep.
        var waiting = Array(epochs.keys)
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
            found[id] = epoch.parents.reduce(into: Set(epoch.parents)) { $0.formUnion(found[$1] ?? []) }
            waiting.removeLast()
        }
        return found
    }

    private func fault(in epoch: Epoch, _ holders: KeyHolders) -> EpochFault? {
        guard let rekey = epoch.rekey else { return nil }
        guard holders.leaders.contains(epoch.author) else { return .notAllowed }
        let parents = rekey.parents.compactMap { epochs[$0] }
        guard parents.count == rekey.parents.count else { return .unknownParent }
        guard rekey.recipients.allSatisfy({ holders.member(prefix: $0.member) != nil }) else { return .ghostMember }
        guard let digest = holders.digest(of: rekey.recipients) else { return .unknownWrappingKey }
        guard digest == rekey.roster else { return .wrongRoster }
        let named = Set(rekey.recipients.map(\.member))
        let excluded = Set(rekey.excluded)
        guard named.isDisjoint(with: excluded) else { return .forgottenRemoval }
        let active = Set(holders.active.map(\.prefix))
        for parent in parents {
            // Who is active as far as we know may have come back since.
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
