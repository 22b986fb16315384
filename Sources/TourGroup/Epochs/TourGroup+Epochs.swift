import TourCrypto
import TourModel
import TourWire

// The keys of a tour's epochs: which are held, which members may have them, and how a new one is created.
// Source: `Protocol/05-events.md`, "Epochs".
extension TourGroup {
    /// Stores an epoch's key if the epoch's event commits to it and its author had the right to create it.
    /// - Returns: false otherwise.
    @discardableResult
    package mutating func learn(epoch: EpochID, key: SecretBytes) -> Bool {
        keyring.isOfUse(epoch) && prove(epoch, key)
    }

    /// Stores the keys of an answer for the epochs that were asked for: no peer makes us hold others.
    /// - Returns: the epochs whose keys are new.
    package mutating func learn(_ secrets: [EpochSecret], askedFor asked: Set<EpochID>) -> Set<EpochID> {
        var fresh = Set<EpochID>()
        var room = Self.othersKeysMax - keyring.keys.count { !keyring.isOfUse($0.id) }
        for secret in secrets where asked.contains(secret.epoch) && !keyring.isHeld(secret.epoch) {
            let isOfUse = keyring.isOfUse(secret.epoch)
            guard isOfUse || room > 0, prove(secret.epoch, SecretBytes(secret.key.bytes)) else { continue }
            if !isOfUse { room -= 1 }
            fresh.insert(secret.epoch)
        }
        return fresh
    }

    /// Restores a kept key, whatever the roster states now. A key that cannot be proven yet waits for its event.
    package mutating func restore(_ epoch: EpochID, _ key: SecretBytes) {
        if !prove(epoch, key), keyring.graph.epochs[epoch] == nil { unproven[epoch] = EpochKey(id: epoch, key: key) }
    }

    /// The most keys held of epochs whose authors had no right to create them, because events are sealed under them.
    private static let othersKeysMax = 256

    private mutating func prove(_ epoch: EpochID, _ key: SecretBytes) -> Bool {
        guard let author = keyring.graph.epochs[epoch]?.author, let identity = identities[author] else { return false }
        return keyring.learn(epoch, key, identity: identity)
    }

    /// Proves kept keys whose events have arrived.
    mutating func proveKept() {
        for (epoch, key) in unproven where keyring.graph.epochs[epoch] != nil {
            unproven[epoch] = nil
            _ = prove(epoch, key.key)
        }
    }

    /// Forgets the keys of all epochs. Events sealed under them cannot be read any more unless a key is kept elsewhere.
    package mutating func wipeKeys() {
        keyring.wipe()
        unproven = [:]
    }

    /// The keys held, those of the heads first.
    package var epochKeys: [EpochKey] { keyring.keys }

    /// All keys to keep: those held, and those whose events are not known.
    package var keptKeys: [EpochKey] { keyring.keys + unproven.values.sorted { $0.id < $1.id } }

    /// The key that seals new events: of an epoch, or of several merged. Nil while sending waits for a key.
    package var currentEpoch: EpochKey? { keyring.sending }

    /// Opens the keys that rekeys wrapped for us.
    /// - Parameter pairs: our wrapping keys.
    /// - Returns: the epochs whose keys are new, and our public keys that were used for them.
    package mutating func unwrap(
        for own: MemberID, by pairs: [WrappingKeyPair]
    ) -> (learnt: Set<EpochID>, used: Set<WrappingKey>) {
        var learnt = Set<EpochID>()
        var used = Set<WrappingKey>()
        for epoch in keyring.graph.epochs.values where !keyring.isHeld(epoch.id) {
            guard keyring.wrapFaults[epoch.id] == nil, keyring.isOfUse(epoch.id), identities[epoch.author] != nil,
                let (recipient, wrap) = epoch.rekey?.wrap(for: own.prefix),
                let named = keyring.holders.wrappingKey(of: own, generation: recipient.generation)
            else { continue }
            guard let key = pairs.first(where: { $0.publicKey == named })?.open(wrap) else {
                keyring.record(.missingWrap, in: epoch.id)
                continue
            }
            guard prove(epoch.id, key) else {
                keyring.record(.splitKey, in: epoch.id)
                continue
            }
            learnt.insert(epoch.id)
            used.insert(named)
        }
        return (learnt, used)
    }

    /// Epochs whose keys are worth asking for, the heads first, then those that they replace; at most
    /// `Limits.epochsAskedMax`.
    /// - Parameter named: the epochs of stored events that we cannot read: worth asking for, whoever created them.
    package func missingEpochs(for own: MemberID, named: Set<EpochID> = []) -> [EpochID] {
        guard keyring.holders.active.contains(own) else { return [] }
        let graph = keyring.graph
        let missing = graph.epochs.keys.filter { epoch in
            !keyring.isHeld(epoch) && (keyring.isOfUse(epoch) || named.contains(epoch))
        }
        guard !missing.isEmpty else { return [] }
        let heads = Set(graph.heads)
        let following = roster.fullHistory ? [] : graph.following(own)
        let ours = missing.filter {
            roster.fullHistory || heads.contains($0) || named.contains($0) || following.contains($0)
        }
        return Array(graph.byWeight(ours).prefix(Limits.epochsAskedMax))
    }

    /// The held keys that a member may have: those of the newest epochs and of those created while it was a member;
    /// with full history all. None that exclude it, and none for a guest or a former member. Those of the heads come
    /// first.
    /// - Parameter asked: the epochs asked for; nil for all.
    package func epochKeys(for member: MemberID, among asked: Set<EpochID>? = nil) -> [EpochKey] {
        guard keyring.holders.getsKeys(member) else { return [] }
        let graph = keyring.graph
        let wanted = epochKeys.filter { key in
            asked?.contains(key.id) != false && graph.epochs[key.id]?.excludes(member) == false
        }
        guard !wanted.isEmpty, !roster.fullHistory else { return wanted }
        let newest = Set(graph.heads + graph.newest(of: Set(epochKeys.map(\.id))))
        let following = graph.following(member)
        return wanted.filter { newest.contains($0.id) || following.contains($0.id) }
    }

    /// The body of a rekey: the new key for every active member, or as many as one event holds, and withheld from every
    /// former one.
    /// - Parameter key: 32 random bytes.
    /// - Parameter hasSpoken: whether anything is known of a member's log. An attacker can make up hundreds of devices,
    ///   each of which would take a part of every epoch: with full history such a device asks for the key instead.
    ///   Guests are named only where a parent names them.
    /// - Throws: `EpochFault.notAllowed` when the author may not rekey.
    package func rekeyBody(
        key: SecretBytes, by own: MemberID, hasSpoken: (MemberID) -> Bool = { _ in true }
    ) throws(EpochFault) -> ControlBody {
        let holders = keyring.holders
        guard holders.rekeyers.contains(own), let identity = identities[own] else { throw .notAllowed }
        var (recipients, wraps) = ([ControlBody.Rekey.Recipient](), [UInt8]())
        let parents = Array(keyring.graph.heads.prefix(Limits.rekeyParentsMax))
        let named = parents.reduce(into: Set<UInt64>()) { found, parent in
            found.formUnion((keyring.graph.epochs[parent]?.rekey?.recipients ?? []).map(\.member))
        }
        for member in holders.nameable.sorted() {
            let isOwed = holders.getsKeys(member) && (!roster.fullHistory || member == own || hasSpoken(member))
            guard isOwed || named.contains(member.prefix), let newest = holders.newestKey(of: member) else { continue }
            recipients.append(.init(member: member.prefix, generation: newest.generation))
            // A member that publishes a point of low order gets a wrap that nobody can open.
            wraps += newest.key.wrap(key) ?? [UInt8](repeating: 0, count: Limits.wrappedKeyBytes)
        }
        guard let digest = holders.digest(of: recipients) else { throw .unknownWrappingKey }
        return .rekey(
            ControlBody.Rekey(
                parents: parents, roster: digest,
                commitment: EpochKey.commitment(of: key, parents: parents, roster: digest, author: identity),
                recipients: recipients, wraps: wraps, excluded: excluded(from: parents, beside: recipients.count)))
    }

    /// Former members and all that the replaced epochs exclude; then, as far as there is room, devices whose admission
    /// is void: named and former members together are no more than a roster holds, and fit the body.
    private func excluded(from parents: [EpochID], beside recipients: Int) -> [UInt64] {
        let holders = keyring.holders
        let active = Set(holders.active.map(\.prefix))
        let outsiders = Set(holders.outsiders.map(\.prefix))
        let before = parents.flatMap { keyring.graph.epochs[$0]?.rekey?.excluded ?? [] }
        let known = outsiders.union(before).subtracting(active)
        let members = known.filter(holders.hasGone)
        let others = known.subtracting(members).sorted()
        let left = (Limits.controlBodyBytesMax - Self.rekeyBaseBytes - recipients * Self.recipientBytesMax) / 8
        return (members + others.prefix(max(0, min(left, Limits.rekeyExcludedMax) - members.count))).sorted()
    }

    /// A wrap, the member's prefix, and its key's generation at its longest.
    private static let recipientBytesMax = Limits.wrappedKeyBytes + 8 + 10
    /// The most bytes of parents, hashes and field tags.
    private static let rekeyBaseBytes = 1_024
}

extension ControlRecord {
    /// Whether it concerns only epochs and their keys, not membership.
    var isOfKeys: Bool {
        switch body {
        case .rekey, .wrappingKey: true
        default: false
        }
    }
}
