import TourCrypto
import TourModel
import TourWire

/// A tour's epochs as the control events tell of them, and the keys of those that are held.
/// Source: `Protocol/05-events.md`, "Epochs".
package struct EpochKeyring: Sendable {
    package private(set) var graph: EpochGraph
    package private(set) var holders: KeyHolders
    private var held: [EpochID: EpochKey] = [:]
    /// The held epochs' keys: of the heads, of what they replace, then the others; of these what replaces most first.
    /// Clocks decide nothing here: whoever writes a rekey dates it as it likes.
    package private(set) var keys: [EpochKey] = []
    /// Grows whenever `keys` may be others.
    package private(set) var revision = 0
    /// Names that headers may use for several held epochs at once.
    private var merges: [EpochID: [EpochID]] = [:]
    /// What new events are sealed under: the newest held epoch, or several merged. Nil while every key that is held
    /// could be computed by a removed device alone, or none is held: then sending waits.
    package private(set) var sending: EpochKey?
    /// The epochs whose keys make `sending`, ascending.
    package private(set) var sendingHeads: [EpochID] = []
    /// What others may seal datagrams under: what we send under, then the heads that are held and what they replace.
    /// None that somebody who is out can compute: it could speak in anybody's name.
    package private(set) var heardKeys: [EpochKey] = []
    /// Rekeys that name us, and whose wrap gave no key or a false one.
    package private(set) var wrapFaults: [EpochID: EpochFault] = [:]

    /// The wrapping keys that the heads name, and the devices, whichever of their keys it is; and the wrapping keys
    /// that epochs name which may become heads.
    private var namedByHeads: Set<ControlBody.Rekey.Recipient> = []
    private var prefixesOfHeads: Set<UInt64> = []
    private var namedByOthers: Set<ControlBody.Rekey.Recipient> = []

    /// More merged names of one epoch than any tour that falls apart comes to.
    private static let mergesMax = 1_024
    /// Epochs beside one that names are worked out with; a tour in more parts than that does not stay so.
    private static let candidatesMax = 64
    /// Each datagram of strangers is tried against so many keys.
    private static let heardMax = 8

    /// - Parameter epochs: the first and all that rekeys made, in any order.
    package init(_ epochs: [Epoch], _ holders: KeyHolders) {
        self.holders = holders
        graph = EpochGraph(epochs, holders)
        noteNamed()
    }

    /// Follows the control events.
    /// - Parameter epochs: those known before among them.
    package mutating func update(_ epochs: [Epoch], _ holders: KeyHolders) {
        self.holders = holders
        if epochs.count == graph.epochs.count, epochs.allSatisfy({ graph.epochs[$0.id] != nil }) {
            graph.judge(holders)
        } else {
            graph = EpochGraph(epochs, holders)
        }
        noteNamed()
        choose()
    }

    package func isHeld(_ epoch: EpochID) -> Bool { held[epoch] != nil }

    /// The key of an epoch, or of several that a header names at once.
    package func key(of epoch: EpochID) -> EpochKey? {
        if let key = held[epoch] { return key }
        guard let heads = merges[epoch] else { return nil }
        return merged(heads)
    }

    /// The epochs whose keys are needed for what a header names.
    package func parts(of epoch: EpochID) -> [EpochID] { merges[epoch] ?? [epoch] }

    /// Whether every removed device that is known of lacks a part of what opens this. The invariant of all sealing.
    package func isSafe(_ epoch: EpochID) -> Bool {
        holders.barred.allSatisfy { graph.shutsOut($0, from: parts(of: epoch)) }
    }

    /// Whether an epoch's key is worth having: who made it may have done so, or somebody who might built on it. Of
    /// others a member can make any number.
    func isOfUse(_ epoch: EpochID) -> Bool {
        guard let known = graph.epochs[epoch] else { return false }
        if graph.settled.contains(epoch) { return true }
        return !graph.surplus.contains(epoch) && holders.mayLead(known.author, at: known.sequence)
    }

    /// Takes a key if the epoch's event commits to it.
    /// - Parameter identity: of the epoch's author.
    /// - Returns: false when it does not.
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

    /// Forgets every key; their memory is wiped with the last copy.
    mutating func wipe() {
        (held, merges, wrapFaults) = ([:], [:], [:])
        choose()
    }

    /// Our own wrap of this epoch did not give its key.
    mutating func note(_ fault: EpochFault, in epoch: EpochID) { wrapFaults[epoch] = fault }

    /// Whether an event publishes a wrapping key that nobody needs any more: its author published a newer one, and no
    /// epoch that is or may become a head names it.
    func isSuperseded(_ record: ControlRecord) -> Bool {
        guard case .wrappingKey = record.body, let newest = holders.newestKey(of: record.author) else { return false }
        let sequence = record.event.header.sequence
        guard sequence < newest.generation else { return false }
        let recipient = ControlBody.Rekey.Recipient(member: record.author.prefix, generation: sequence)
        return !namedByHeads.contains(recipient) && !namedByOthers.contains(recipient)
    }

    /// Whether the heads, or what is wrapped to next, would be others without this event. Of what a member can write as
    /// often as it likes that is one in its log, and those that heads name.
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

    private mutating func noteNamed() {
        func named(_ epochs: some Sequence<EpochID>) -> Set<ControlBody.Rekey.Recipient> {
            epochs.reduce(into: []) { $0.formUnion(graph.epochs[$1]?.rekey?.recipients ?? []) }
        }
        namedByHeads = named(graph.heads)
        prefixesOfHeads = Set(namedByHeads.map(\.member))
        // Who may not rekey keeps nothing alive.
        namedByOthers = named(graph.faults.filter { $0.value != .notAllowed }.keys)
    }

    private func merged(_ heads: [EpochID]) -> EpochKey? {
        let keys = heads.compactMap { held[$0] }
        guard keys.count == heads.count, keys.count > 1 else { return nil }
        return EpochKey(merging: keys)
    }

    /// What to seal under from now on.
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

    /// All of them, or, of more than are merged at once, one that shuts all removed out by itself, else those that
    /// shut the most out first.
    /// - Returns: nil when a removed device is shut out of none.
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

    /// Works out under which names somebody may have sealed for us under several held epochs at once, this one among
    /// them.
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
