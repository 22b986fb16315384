import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourWire

// Keys: unwrapping what rekeys wrap for us, asking for missing ones, making new ones when it is our turn.
// Source: `Protocol/05-events.md`, "Epochs".
extension TourMachine {
    /// Control events arrived, or time passed.
    /// - Parameter isOwnAct: the events are our own, so what follows from them is done at once.
    func followEpochs(isOwnAct: Bool = false, _ step: inout TourStep) {
        // Wiped keys must not come back through their wraps.
        guard !hasWipedKeys else { return }
        unwrap(&step)
        askForEpochs(&step)
        considerRekey(isOwnAct: isOwnAct, &step)
        if isWrappingKeyDue(at: step.time) {
            schedule.considerPublishing(members: group.roster.active.count, &step)
        }
        considerInvite(&step)
    }

    /// Every ten seconds.
    func reviewKeys(_ step: inout TourStep) {
        let keyring = group.keyring
        // Peers may have received a head's key since. Older keys that nobody had are asked for on new links only.
        if !keyring.graph.heads.allSatisfy({ keyring.isHeld($0) }) { schedule.allowAsking() }
        if wrapping.wipe(wallMilliseconds: step.time.wallMilliseconds) {
            // Drops the last reference to the wiped keys, so that their memory is wiped too.
            keys.wrapping = wrapping.newest
            step.emit(.saveKeys(isErasing: true))
        }
        followEpochs(&step)
    }

    // MARK: - Keys of others

    private func unwrap(_ step: inout TourStep) {
        let known = group.keyring.wrapFaults
        let outcome = group.unwrap(for: own, by: wrapping.pairs)
        let faults = group.keyring.wrapFaults.filter { known[$0.key] == nil }
        for epoch in faults.keys.sorted() { if let fault = faults[epoch] { step.emit(.fault(fault)) } }
        guard !outcome.learnt.isEmpty else { return }
        wrapping.recordUse(of: outcome.used, wallMilliseconds: step.time.wallMilliseconds)
        learnt(outcome.learnt, &step)
    }

    private func learnt(_ epochs: Set<EpochID>, _ step: inout TourStep) {
        step.emit(.saveKeys(isErasing: false))
        step.emit(.keysLearnt(epochs))
    }

    /// Asks every linked member once for the missing epochs; the next review allows asking the same members again.
    func askForEpochs(_ step: inout TourStep) {
        let missing = group.missingEpochs(for: own, named: schedule.unreadableEpochs)
        guard !missing.isEmpty else { return }
        for link in links.ids where links[link]?.isMember == true && schedule.ask(missing, on: link) {
            step.emit(.send(link, .epochAsk(missing)))
        }
    }

    /// Answers a peer's request for epochs, at a limited rate on each link: each answer walks over all epochs.
    func answer(_ epochs: [EpochID], on link: LinkID, _ step: inout TourStep) {
        guard let state = links[link], state.isMember, let member = state.member,
            schedule.mayAnswer(link, now: step.now)
        else { return }
        let keys = group.epochKeys(for: member, among: Set(epochs))
        if !keys.isEmpty { step.emit(.send(link, .epochKeys(keys.compactMap { EpochSecret($0) }))) }
    }

    func receive(_ secrets: [EpochSecret], on link: LinkID, _ step: inout TourStep) {
        let fresh = group.learn(secrets, askedFor: schedule.asked(on: link))
        if !fresh.isEmpty { learnt(fresh, &step) }
    }

    /// Remembers events that cannot be read, so that they are shown once they can.
    func recordUnreadable(_ events: [Event]) {
        for event in events
        where event.header.eventClass != .control && group.keyring.key(of: event.header.epoch) == nil {
            schedule.recordUnreadable(event.header)
        }
    }

    /// Removes and returns the events that can be read now and could not be read when they arrived.
    package func drainReadable() -> [EventHeader] {
        let keyring = group.keyring
        return schedule.drainReadable { keyring.key(of: $0) != nil }
    }

    // MARK: - Rekeys of ours

    private func rekeyReason(at time: ClockReading) -> RekeyReason? {
        guard isActive else { return nil }
        let reason = group.rekeyReason(
            for: own, wallMilliseconds: wallMilliseconds(at: time), usedAt: use.usedAt,
            isPrompt: schedule.isPrompt(now: time.now))
        // Rekeys that others cause never use the part of our share that is reserved for removals.
        return hasRoom(for: .control, governs: reason == .removal) ? reason : nil
    }

    func considerRekey(isOwnAct: Bool, _ step: inout TourStep) {
        schedule.consider(rekeyReason(at: step.time), of: own, in: group, isOwnAct: isOwnAct, &step)
    }

    func beginTurn(_ step: inout TourStep) {
        guard rekeyReason(at: step.time) != nil else { return }
        schedule.beginRekey()
        step.emit(.rekey)
    }

    /// The rekey to write now.
    /// - Parameter key: fresh and random.
    /// - Returns: its body, and whether it excludes somebody removed, for which a part of our share is reserved.
    /// - Throws: as `TourGroup.rekeyBody`.
    package func rekeyBody(key: SecretBytes, at time: ClockReading) throws -> (body: ControlBody, isRemoval: Bool) {
        let body = try group.rekeyBody(key: key, by: own) { gossip.logSize(of: $0) != .zero }
        return (body, rekeyReason(at: time) == .removal)
    }

    /// Whether we are writing a rekey.
    package var isRekeying: Bool { schedule.isRekeying }

    /// Whether a newcomer whom we admit over a link gets an epoch of its own.
    package func beginEpoch(for newcomer: MemberID, at time: ClockReading) -> NewcomerEpoch {
        guard !group.roster.fullHistory else { return .none }
        if schedule.isRekeying { return .later }
        guard isActive, hasRoom(for: .control) else { return .none }
        let verdict = NewcomerEpochs.verdict(
            on: newcomer, by: own, in: group, wallMilliseconds: wallMilliseconds(at: time))
        if verdict == .begins { schedule.beginRekey() }
        return verdict
    }

    /// We ended a code: those who joined with it are removed, and one prompt epoch follows after all of them, when
    /// `TourInput.removalsEnded` says so.
    /// - Parameter hasMembers: somebody had joined with it.
    package func beginRemovals(hasMembers: Bool, now: Instant) {
        schedule.recordEndedCode(hasMembers: hasMembers, now: now)
        schedule.setRemovingSeveral(true)
    }

    // MARK: - Our wrapping key

    private func isWrappingKeyDue(at time: ClockReading) -> Bool {
        guard isActive, hasRoom(for: .control) else { return false }
        if wrapping.isNewDue(wallMilliseconds: time.wallMilliseconds) { return true }
        // The key was stored, but the node stopped before publishing it.
        return group.keyring.holders.newestKey(of: own)?.key != wrapping.newest.publicKey
    }

    func publishKey(_ step: inout TourStep) {
        guard isWrappingKeyDue(at: step.time) else { return schedule.endPublishing() }
        step.emit(.publishWrappingKey)
    }

    /// The wrapping key to publish now: store it before its event is written, since others wrap to it from then on.
    /// - Parameter fresh: makes a random key pair, used if the newest has served its time.
    package func prepareWrappingKey(at time: ClockReading, fresh: () -> WrappingKeyPair) -> WrappingKey {
        if wrapping.isNewDue(wallMilliseconds: time.wallMilliseconds) {
            wrapping.add(fresh(), wallMilliseconds: time.wallMilliseconds)
        }
        return wrapping.newest.publicKey
    }

    /// Wipes every epoch's key, and our wrapping keys as well, since the log holds the former wrapped to one of them.
    package func wipeKeys(fresh: WrappingKeyPair, at time: ClockReading) {
        group.wipeKeys()
        wrapping = WrappingKeys(admitted: fresh, wallMilliseconds: time.wallMilliseconds)
        keys.wrapping = fresh
    }

    // MARK: - Codes

    /// A member who removes somebody ends every code. Its new code could not always be made at that moment, since the
    /// node stopped or no key arrived in time: it is made here once there is a key.
    private func considerInvite(_ step: inout TourStep) {
        guard !isStopping, !schedule.isInviting, isActive, rank.leads, hasRoom(for: .control, governs: true),
            group.currentEpoch != nil, group.owesInvite(own)
        else { return }
        schedule.setInviting(true)
        step.emit(.makeInvite)
    }

    /// We are making a code that follows a removal of ours: none is made beside it until `TourInput.madeInvite`.
    package func beginInvite() { schedule.setInviting(true) }
}

extension EpochSecret {
    /// - Returns: nil for a key of another length, which no epoch has.
    package init?(_ key: EpochKey) {
        guard let bytes = Bytes32(key.key.exposedCopy()) else { return nil }
        self.init(epoch: key.id, key: bytes)
    }
}
