import TourCrypto
import TourModel
import TourWire

// The keys of a tour's epochs: which are held, who may have them, and how a new one is made.
// Source: `Protocol/05-events.md`, "Epochs".
extension TourGroup {
    /// Takes an epoch's key if the epoch's event commits to it.
    /// - Returns: false when it does not.
    @discardableResult
    package mutating func learn(epoch: EpochID, key: SecretBytes) -> Bool {
        guard let author = keyring.graph.epochs[epoch]?.author, let identity = roster.members[author]?.identity else {
            return false
        }
        return keyring.learn(epoch, key, identity: identity)
    }

    /// The keys that are held, the newest in the tour's order first.
    package var epochKeys: [EpochKey] { keyring.keys }

    /// What new events are sealed under: an epoch, or several merged. Nil while sending waits for a key.
    package var currentEpoch: EpochKey? { keyring.sending }

    /// Opens what rekeys wrapped for us.
    /// - Parameter pairs: our wrapping keys.
    /// - Returns: the epochs whose keys are new, and our public keys that were used for them.
    package mutating func unwrap(
        for own: MemberID, by pairs: [WrappingKeyPair]
    ) -> (learnt: Set<EpochID>, used: Set<WrappingKey>) {
        var learnt = Set<EpochID>()
        var used = Set<WrappingKey>()
        for epoch in keyring.graph.epochs.values where !keyring.isHeld(epoch.id) {
            guard keyring.wrapFaults[epoch.id] == nil, let (recipient, wrap) = epoch.rekey?.wrap(for: own.prefix),
                let named = keyring.holders.wrappingKey(of: own, generation: recipient.generation)
            else { continue }
            guard let key = pairs.first(where: { $0.publicKey == named })?.open(wrap) else {
                keyring.note(.missingWrap, in: epoch.id)
                continue
            }
            guard learn(epoch: epoch.id, key: key) else {
                keyring.note(.splitKey, in: epoch.id)
                continue
            }
            learnt.insert(epoch.id)
            used.insert(named)
        }
        return (learnt, used)
    }

    /// Epochs whose keys are worth asking for, the heads first, then the newest; at most `Limits.epochsAskedMax`.
    package func missingEpochs(for own: MemberID) -> [EpochID] {
        guard keyring.holders.active.contains(own) else { return [] }
        let graph = keyring.graph
        let heads = Set(graph.heads)
        let missing = graph.epochs.values.filter { epoch in
            // What somebody made who may not opens nothing.
            !keyring.isHeld(epoch.id) && graph.faults[epoch.id] != .notAllowed
                && (roster.fullHistory || heads.contains(epoch.id) || graph.precededBy(own, epoch.id))
        }
        let ordered = missing.sorted { left, right in
            let (first, second) = (heads.contains(left.id), heads.contains(right.id))
            if first != second { return first }
            return left.clock == right.clock ? left.id < right.id : left.clock > right.clock
        }
        return ordered.prefix(Limits.epochsAskedMax).map(\.id)
    }

    /// The held keys that a member may have: those of the newest epochs and of those made while it was a member; with
    /// full history all. None that exclude it, and none for somebody who is no active member.
    package func epochKeys(for member: MemberID) -> [EpochKey] {
        guard keyring.holders.active.contains(member) else { return [] }
        let graph = keyring.graph
        let newest = Set(graph.heads + graph.newest(of: Set(epochKeys.map(\.id))))
        return epochKeys.filter { key in
            guard graph.epochs[key.id]?.excludes(member) == false else { return false }
            return roster.fullHistory || newest.contains(key.id) || graph.precededBy(member, key.id)
        }
    }

    /// What a rekey says: the new key for every active member, kept from everybody who is none any more.
    /// - Parameter key: 32 random bytes.
    /// - Throws: `EpochFault.tooManyMembers`, or `notAllowed` when the author is none who may rekey.
    package func rekeyBody(key: SecretBytes, by own: MemberID) throws(EpochFault) -> ControlBody {
        let holders = keyring.holders
        guard holders.rekeyers.contains(own), let identity = roster.members[own]?.identity else { throw .notAllowed }
        let members = holders.active.sorted()
        guard members.count <= Limits.rekeyRecipientsMax else { throw .tooManyMembers }
        var recipients = [ControlBody.Rekey.Recipient]()
        var wraps = [UInt8]()
        for member in members where holders.member(prefix: member.prefix) == member {
            guard let newest = holders.newestKey(of: member) else { continue }
            recipients.append(.init(member: member.prefix, generation: newest.generation))
            // Who publishes a point of low order gets a wrap that opens for nobody.
            wraps += newest.key.wrap(key) ?? [UInt8](repeating: 0, count: Limits.wrappedKeyBytes)
        }
        guard let digest = holders.digest(of: recipients) else { throw .unknownWrappingKey }
        let parents = Array(keyring.graph.heads.prefix(Limits.rekeyParentsMax))
        return .rekey(
            ControlBody.Rekey(
                parents: parents, roster: digest,
                commitment: EpochKey.commitment(of: key, parents: parents, roster: digest, author: identity),
                recipients: recipients, wraps: wraps, excluded: excluded(from: parents)))
    }

    /// Members who are active no more and all whom the replaced epochs exclude; then, as far as there is room, devices
    /// whose admission is void.
    private func excluded(from parents: [EpochID]) -> [UInt64] {
        let holders = keyring.holders
        let active = Set(holders.active.map(\.prefix))
        let outsiders = Set(holders.outsiders.map(\.prefix))
        let before = parents.flatMap { keyring.graph.epochs[$0]?.rekey?.excluded ?? [] }
        let known = outsiders.union(before).subtracting(active)
        let members = known.filter(holders.hasGone)
        let others = known.subtracting(members).sorted()
        return (members + others.prefix(max(0, Limits.rekeyExcludedMax - members.count))).sorted()
    }
}

extension ControlRecord {
    /// Whether it tells of epochs and their keys alone, and not of who is who.
    var isOfKeys: Bool {
        switch body {
        case .rekey, .wrappingKey: true
        default: false
        }
    }
}
