import TourCrypto
import TourModel
import TourWire

/// A tour's epochs as the control events state them, and the keys held.
/// Source: `Protocol/05-events.md`, "Epochs".
package struct EpochKeyring: Sendable {
    /// The epochs.
    package private(set) var graph: EpochGraph
    /// The members that may have keys.
    package private(set) var holders: KeyHolders
    private var held: [EpochID: EpochKey] = [:]
    /// The keys held: those of the heads, of epochs that they replace, then the others; within each, the longest path
    /// first. Clocks decide nothing here: the author of a rekey can date it at will.
    package private(set) var keys: [EpochKey] = []
    /// Increases whenever `keys` may have changed.
    package private(set) var revision = 0
    /// The names under which a header may refer to several held epochs at once.
    private var merges: [EpochID: [EpochID]] = [:]
    /// The key that seals new events: that of the newest held epoch, or of several merged. Nil while no key is held, or
    /// while a removed device alone could compute every held key: then sending waits.
    package private(set) var sending: EpochKey?
    /// The epochs whose keys make `sending`, ascending.
    package private(set) var sendingHeads: [EpochID] = []
    /// The keys under which others may seal datagrams: our sending key, then those of held heads and of the epochs that
    /// they replace. None that a removed device can compute: it could forge datagrams of any member.
    package private(set) var heardKeys: [EpochKey] = []
    /// Rekeys that name us and whose wrap gave no key, or a wrong one.
    package private(set) var wrapFaults: [EpochID: EpochFault] = [:]

    /// The wrapping keys that the heads name, their devices whatever the key, and the wrapping keys that epochs name
    /// which may become heads.
    private var namedByHeads: Set<ControlBody.Rekey.Recipient> = []
    private var prefixesOfHeads: Set<UInt64> = []
    private var namedByOthers: Set<ControlBody.Rekey.Recipient> = []

    /// More merged names of one epoch than a tour that splits apart needs.
    private static let mergesMax = 1_024
    /// The most epochs beside one whose merged names are computed; a tour in more parts does not stay so.
    private static let candidatesMax = 64
    /// The most keys against which each datagram of a stranger is tried.
    private static let heardMax = 8

    /// - Parameter epochs: the first and those of all rekeys, in any order.
    package init(_ epochs: [Epoch], _ holders: KeyHolders) {
        self.holders = holders
        graph = EpochGraph(epochs, holders)
        updateNamed()
    }

    /// Applies the control events.
    /// - Parameter epochs: all of them, those known before included.
    package mutating func update(_ epochs: [Epoch], _ holders: KeyHolders) {
        self.holders = holders
        if epochs.count == graph.epochs.count, epochs.allSatisfy({ graph.epochs[$0.id] != nil }) {
            graph.judge(holders)
        } else {
            graph = EpochGraph(epochs, holders)
        }
        updateNamed()
        choose()
    }

    /// Whether this node holds the epoch's key.
    package func isHeld(_ epoch: EpochID) -> Bool { held[epoch] != nil }

    /// The key of an epoch, or of several that a header names at once.
    package func key(of epoch: EpochID) -> EpochKey? {
        if let key = held[epoch] { return key }
        guard let heads = merges[epoch] else { return nil }
        return merged(heads)
    }

    /// The epochs whose keys this name needs.
    package func parts(of epoch: EpochID) -> [EpochID] { merges[epoch] ?? [epoch] }

    /// Whether every known removed device lacks a part of this key: the invariant of all sealing.
    package func isSafe(_ epoch: EpochID) -> Bool {
        holders.barred.allSatisfy { graph.shutsOut($0, from: parts(of: epoch)) }
    }

    /// Whether an epoch's key is worth holding: its author had the right to create it, or an author who had that right
    /// built on it. A member can create any number of others.
    func isOfUse(_ epoch: EpochID) -> Bool {
        guard let known = graph.epochs[epoch] else { return false }
        if graph.settled.contains(epoch) { return true }
        return !graph.surplus.contains(epoch) && holders.mayLead(known.author, at: known.sequence)
    }

    /// Stores a key if the epoch's event commits to it.
    /// - Parameter identity: the key of the epoch's author.
    /// - Returns: false when the event does not.
    package mutating func learn(_ epoch: EpochID, _ key: SecretBytes, identity: SigningKey) -> Bool {
        guard let known = graph.epochs[epoch], known.commits(to: key, author: identity),
            let epochKey = EpochKey(id: epoch, key: key)
        else { return false }
        guard held[epoch] == nil else { return true }
        held[epoch] = epochKey
        wrapFaults[epoch] = nil
        nameMerges(of: epoch)
        choose()
        return true
    }

    /// Forgets every key; the last copy's release wipes its memory.
    mutating func wipe() {
        (held, merges, wrapFaults) = ([:], [:], [:])
        choose()
    }

    /// Records that our own wrap of this epoch did not yield its key.
    mutating func record(_ fault: EpochFault, in epoch: EpochID) { wrapFaults[epoch] = fault }

    /// Whether an event publishes a wrapping key that is no longer needed: its author published a newer one, and no
    /// epoch that is or may become a head names it.
    func isSuperseded(_ record: ControlRecord) -> Bool {
        guard case .wrappingKey = record.body, let newest = holders.newestKey(of: record.author) else { return false }
        let sequence = record.event.header.sequence
        guard sequence < newest.generation else { return false }
        let recipient = ControlBody.Rekey.Recipient(member: record.author.prefix, generation: sequence)
        return !namedByHeads.contains(recipient) && !namedByOthers.contains(recipient)
    }

    /// Whether the heads, or the wrapping keys for the next rekey, depend on this event. Of the events that a member
    /// can repeat at will, that is one in its log and those that heads name.
    func rests(on record: ControlRecord) -> Bool {
        switch record.body {
        case .rekey: return graph.settled.contains(EpochID(raw: record.event.id.raw))
        case .admit:
            return record.admitted.map { holders.void.contains($0) && prefixesOfHeads.contains($0.prefix) } ?? false
        case .wrappingKey:
            let sequence = record.event.header.sequence
            if namedByHeads.contains(.init(member: record.author.prefix, generation: sequence)) { return true }
            return holders.active.contains(record.author)
                && holders.newestKey(of: record.author)?.generation == sequence
        default: return false
        }
    }

    private mutating func updateNamed() {
        func named(_ epochs: some Sequence<EpochID>) -> Set<ControlBody.Rekey.Recipient> {
            epochs.reduce(into: []) { $0.formUnion(graph.epochs[$1]?.rekey?.recipients ?? []) }
        }
        namedByHeads = named(graph.heads)
        prefixesOfHeads = Set(namedByHeads.map(\.member))
        // An author that may not rekey keeps nothing alive.
        namedByOthers = named(graph.faults.filter { $0.value != .notAllowed }.keys)
    }

    private func merged(_ heads: [EpochID]) -> EpochKey? {
        let keys = heads.compactMap { held[$0] }
        guard keys.count == heads.count, keys.count > 1 else { return nil }
        return EpochKey(merging: keys)
    }

    /// Chooses the keys for sealing from now on.
    private mutating func choose() {
        keys = graph.byWeight(held.keys).compactMap { held[$0] }
        revision += 1
        sendingHeads = chosen(from: graph.newest(of: Set(held.keys))) ?? []
        sending = sendingHeads.count == 1 ? held[sendingHeads[0]] : merged(sendingHeads)
        var heard = [EpochID]()
        for epoch in graph.heads + graph.heads.flatMap({ graph.epochs[$0]?.parents ?? [] }) {
            if epoch != sending?.id, !heard.contains(epoch), isSafe(epoch) { heard.append(epoch) }
        }
        heardKeys = Array(([sending] + heard.map { held[$0] }).compactMap { $0 }.prefix(Self.heardMax))
    }

    /// All of them; if there are more than can be merged, one that shuts all removed devices out on its own, otherwise
    /// those that shut the most out first.
    /// - Returns: nil when none shuts a removed device out.
    private func chosen(from newest: [EpochID]) -> [EpochID]? {
        var chosen = [EpochID]()
        if newest.count > Limits.mergedEpochsMax {
            let barred = holders.barred
            let alone = newest.first { epoch in barred.allSatisfy { graph.shutsOut($0, from: [epoch]) } }
            chosen += alone.map { [$0] } ?? []
        }
        for device in holders.barred.sorted() where !graph.shutsOut(device, from: chosen) {
            guard let epoch = newest.first(where: { graph.shutsOut(device, from: [$0]) }) else { return nil }
            chosen.append(epoch)
        }
        for epoch in newest where chosen.count < Limits.mergedEpochsMax && !chosen.contains(epoch) {
            chosen.append(epoch)
        }
        return chosen.count <= Limits.mergedEpochsMax ? chosen.sorted() : nil
    }

    /// Computes the names under which others may have sealed for us under several held epochs at once, this one
    /// included.
    private mutating func nameMerges(of epoch: EpochID) {
        let candidates = Array(graph.concurrent(with: epoch, of: held.keys).sorted().prefix(Self.candidatesMax))
        guard !candidates.isEmpty else { return }
        let beside = Dictionary(
            uniqueKeysWithValues: candidates.map { ($0, Set(graph.concurrent(with: $0, of: candidates))) })
        var open = [(chain: [epoch], next: 0)]
        var taken = 0
        while taken < open.count {
            let (chain, next) = open[taken]
            taken += 1
            if chain.count > 1 { merges[EpochKey.mergedID(of: chain)] = chain.sorted() }
            guard chain.count < Limits.mergedEpochsMax else { continue }
            for index in next..<candidates.count where open.count < Self.mergesMax {
                let candidate = candidates[index]
                guard chain.dropFirst().allSatisfy({ beside[$0]?.contains(candidate) == true }) else { continue }
                open.append((chain: chain + [candidate], next: index + 1))
            }
        }
    }
}
