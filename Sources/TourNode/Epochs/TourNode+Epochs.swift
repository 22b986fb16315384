import Logging
import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourStore
import TourTransport
import TourWire

// Keys: unwrapping what rekeys wrap for us, asking for missing ones, making new ones when it is our turn.
// Source: `Protocol/05-events.md`, "Epochs".
extension TourNode {
    private static let epochCheckInterval: Duration = .seconds(10)
    /// How long a writer waits for a key that a removed device lacks.
    private static let keyWaitMax: Duration = .seconds(15)
    private static let keyWaitsMax = 1_000
    /// The members of a tour publish their wrapping keys spread over this time for each member, and at most over
    /// `publishingTimeMax` in all.
    private static let publishingTime: Duration = .seconds(3)
    private static let publishingTimeMax: Duration = .seconds(600)

    /// Control events arrived, or time passed.
    /// - Parameter isOwnAct: the events are our own, so what follows from them is done at once.
    func followEpochs(of session: TourSession, isOwnAct: Bool = false) {
        // Wiped keys must not come back through their wraps.
        guard !session.hasWipedKeys else { return }
        unwrapKeys(in: session)
        askForEpochs(in: session)
        considerRekey(in: session, isOwnAct: isOwnAct)
        considerWrappingKey(in: session)
        considerInvite(in: session)
    }

    /// A member who removes somebody ends every code. Its new code could not always be made at that moment, since the
    /// node stopped or no key arrived in time: it is made here once there is a key.
    private func considerInvite(in session: TourSession) {
        guard !session.epochs.isInviting, session.isActive, session.rank.leads, !isStopping,
            session.hasRoom(for: .control, governs: true),
            session.group.currentEpoch != nil, session.group.owesInvite(session.own)
        else { return }
        session.epochs.isInviting = true
        Task {
            defer { session.epochs.isInviting = false }
            do {
                _ = try await self.createInvite(in: session, .standard, governs: true)
            } catch {
                self.reportFailure("making a code after a removal failed", error)
            }
        }
    }

    /// Once a second; most of the work is done less often.
    func tickEpochs(now: Instant) {
        for session in sessions.values where !session.epochs.waiting.isEmpty { session.endKeyWaits() }
        if let last = lastEpochCheck, now - last < Self.epochCheckInterval { return }
        lastEpochCheck = now
        for session in sessions.values {
            let keyring = session.group.keyring
            // Peers may have received a head's key since. Older keys that nobody had are asked for on new links only.
            if !keyring.graph.heads.allSatisfy({ keyring.isHeld($0) }) { session.epochs.asked = [:] }
            if session.wrapping.wipe(wallMilliseconds: NodeClock.wallMilliseconds) {
                // Drops the last reference to the wiped keys, so that their memory is wiped too.
                session.keys.wrapping = session.wrapping.newest
                keep(session)
                // Empties the database's log, which still held the keys.
                writeBeside { store throws(StoreError) in try store.checkpoint(.whole) }
            }
            followEpochs(of: session)
            reviewKeys(of: session)
        }
    }

    /// Keys changed: stores them before anything depends on them.
    private func keep(_ session: TourSession) {
        do { try save(session) } catch { reportFailure("storing keys failed", error) }
    }

    private func unwrapKeys(in session: TourSession) {
        let known = session.group.keyring.wrapFaults
        let outcome = session.group.unwrap(for: session.own, by: session.wrapping.pairs)
        for (epoch, fault) in session.group.keyring.wrapFaults where known[epoch] == nil { count(fault) }
        guard !outcome.learnt.isEmpty else { return }
        session.wrapping.recordUse(of: outcome.used, wallMilliseconds: NodeClock.wallMilliseconds)
        learnt(outcome.learnt, session)
    }

    /// New keys arrived: stores them, shows the events that they open, and resumes waiting writers.
    private func learnt(_ epochs: Set<EpochID>, _ session: TourSession) {
        keep(session)
        let keyring = session.group.keyring
        for event in ((try? store.profileEvents(session.tour)) ?? []).map(\.event)
        where !epochs.isDisjoint(with: keyring.parts(of: event.header.epoch)) {
            session.decorate(event)
            notifyOfWithdrawal(event, session)
        }
        findFiles(of: session)
        readAnnounced(of: session)
        session.reviewNameWait()
        for header in session.epochs.drainReadable({ keyring.key(of: $0) != nil }) {
            notifyOfChange(header.author, header.sequence...header.sequence, session)
        }
        session.endKeyWaits()
        advertise()
    }

    /// Remembers events that cannot be read, so that followers get them once they can.
    func recordUnreadable(_ arrived: [ArrivedEvent], _ session: TourSession) {
        for header in arrived.lazy.map(\.stored.event.header)
        where header.eventClass != .control && session.group.keyring.key(of: header.epoch) == nil {
            session.epochs.recordUnreadable(header)
        }
    }

    /// Asks every linked member once for the missing epochs; the next check allows asking the same members again.
    func askForEpochs(in session: TourSession) {
        let named = Set(session.epochs.unreadable.map(\.epoch))
        let missing = session.group.missingEpochs(for: session.own, named: named)
        guard !missing.isEmpty else { return }
        for (link, connection) in session.connections where session.epochs.asked[link] != missing {
            guard case .member = connection.peer?.kind else { continue }
            session.epochs.asked[link] = missing
            connection.send(.epochAsk(missing))
        }
    }

    /// Answers a peer's request for epochs, at a limited rate on each link: each answer walks over all epochs.
    func answer(_ epochs: [EpochID], _ link: LinkID, _ connection: LinkConnection, _ session: TourSession) {
        guard case .member(let member) = connection.peer?.kind,
            session.epochs.mayAnswer(link, now: NodeClock.now)
        else { return }
        let keys = session.group.epochKeys(for: member, among: Set(epochs))
        if !keys.isEmpty { connection.send(.epochKeys(keys.compactMap { EpochSecret($0) })) }
    }

    func receive(_ secrets: [EpochSecret], from link: LinkID, _ session: TourSession) {
        let fresh = session.group.learn(secrets, askedFor: Set(session.epochs.asked[link] ?? []))
        if !fresh.isEmpty { learnt(fresh, session) }
    }

    /// The key to seal under now. While every key is known to somebody who was removed, the writer waits for one.
    /// - Throws: `NodeError`, code `waiting-for-key`, when none arrived in time.
    func sealingEpoch(of session: TourSession) async throws -> EpochKey {
        let deadline = NodeClock.now + Self.keyWaitMax
        while true {
            if let epoch = session.group.keyring.sending { return epoch }
            guard NodeClock.now < deadline, !isStopping, session.isActive,
                session.epochs.waiting.count < Self.keyWaitsMax, sessions[session.tour] === session
            else { throw NodeError.waitsForKey(session.record.name) }
            await keyNews(in: session)
        }
    }

    /// Suspends until keys change, but at most for a second.
    private func keyNews(in session: TourSession) async {
        await withCheckedContinuation { (one: CheckedContinuation<Void, Never>) in
            session.epochs.waiting.append(one)
        }
    }

    /// Without full history a newcomer reads nothing from before its admission: where the admitting member may rekey,
    /// a new epoch begins with the newcomer. Newcomers who join shortly after each other share an epoch, and after
    /// very many in one day a newcomer enters the existing epoch if that is young: each epoch uses part of its
    /// author's share.
    func beginEpoch(for newcomer: MemberID, in session: TourSession) async {
        guard !session.group.roster.fullHistory else { return }
        while true {
            while session.epochs.isRekeying, !isStopping { await keyNews(in: session) }
            let keyring = session.group.keyring
            let heads = keyring.graph.heads.compactMap { keyring.graph.epochs[$0] }
            guard !heads.allSatisfy({ $0.names(newcomer) }), keyring.holders.rekeyers.contains(session.own),
                session.isActive, !isStopping, session.hasRoom(for: .control)
            else { return }
            let wall = session.wallMilliseconds
            let age = wall - (heads.map(\.clock.milliseconds).max() ?? 0)
            if session.group.epochs(since: wall - Self.dayMilliseconds) >= Self.joinEpochsOfDayMax,
                (0..<Self.sharedEpochAgeMax).contains(age)
            {
                return
            }
            guard session.group.epochs(since: wall - 60_000) >= Self.joinEpochsAtOnceMax,
                (0..<Self.joinEpochPause).contains(age)
            else { break }
            await keyNews(in: session)
        }
        session.epochs.isRekeying = true
        await rekey(session.tour)
    }

    private static let dayMilliseconds: Int64 = 86_400_000
    /// Epochs for newcomers that may begin without a pause within a minute; after them each waits this long, in
    /// milliseconds: a joiner waits three times as long.
    private static let joinEpochsAtOnceMax = 6
    private static let joinEpochPause: Int64 = 10_000
    /// After this many epochs in a day a newcomer shares one that is no older than this, in milliseconds.
    private static let joinEpochsOfDayMax = 60
    private static let sharedEpochAgeMax: Int64 = 1_800_000

    private func rekeyReason(in session: TourSession) -> RekeyReason? {
        guard session.isActive, !isStopping, sessions[session.tour] === session else { return nil }
        let reason = session.group.rekeyReason(
            for: session.own, wallMilliseconds: session.wallMilliseconds, usedAt: session.record.usedAt,
            isPrompt: session.epochs.isPrompt(now: NodeClock.now))
        // Rekeys that others cause never use the part of our share that is reserved for removals.
        return session.hasRoom(for: .control, governs: reason == .removal) ? reason : nil
    }

    private func considerRekey(in session: TourSession, isOwnAct: Bool) {
        guard let reason = rekeyReason(in: session), !session.epochs.isRekeying, !session.epochs.isRemovingSeveral
        else {
            session.epochs.turn?.task.cancel()
            session.epochs.turn = nil
            return
        }
        let heads = session.group.keyring.graph.heads
        let isPrompt =
            isOwnAct
            && (reason == .removal || reason == .leaving && session.epochs.isPrompt(now: NodeClock.now))
        if let turn = session.epochs.turn {
            if turn.reason == reason, turn.heads == heads, !isPrompt { return }
            turn.task.cancel()
        }
        let delay: Duration = isPrompt ? .zero : session.group.rekeyDelay(of: session.own, for: reason, using: &rng)
        let tour = session.tour
        let task = loop.scheduleTask(in: .microseconds(delay.microseconds)) { [weak self] () -> Void in
            self?.assumeIsolated { $0.rekeyTurn(in: tour) }
        }
        session.epochs.turn = (reason, heads, task)
    }

    private func rekeyTurn(in tour: TourID) {
        guard let session = sessions[tour] else { return }
        session.epochs.turn = nil
        guard rekeyReason(in: session) != nil, !session.epochs.isRekeying else { return }
        session.epochs.isRekeying = true
        Task { await self.rekey(tour) }
    }

    private func rekey(_ tour: TourID) async {
        guard let session = sessions[tour] else { return }
        do {
            defer {
                session.epochs.isRekeying = false
                session.endKeyWaits()
            }
            let isRemoval = rekeyReason(in: session) == .removal
            let body = try session.group.rekeyBody(key: EpochKey.randomKey(), by: session.own) { member in
                session.gossip.logSize(of: member) != .zero
            }
            // Our own wrap gives us the key once the event is on the disk.
            try await write(control: body, in: session, governs: isRemoval)
            session.epochs.endedCodeAt = nil
        } catch {
            return reportFailure("making an epoch failed", error)
        }
        // Members whom we removed meanwhile: their rekey does not wait for a turn.
        considerRekey(in: session, isOwnAct: true)
        do {
            let tourName = session.isNamed ? [Content.tourInfo(name: session.record.name)] : []
            try await publishNames(with: tourName, in: session)
        } catch {
            reportFailure("telling names in a new epoch failed", error)
        }
    }

    /// Repeats our name and the tour's in each epoch: without full history newcomers cannot read them under older
    /// keys.
    private func publishNames(with contents: [Content], in session: TourSession) async throws {
        let contents = contents + (name.isEmpty ? [] : [Content.profile(name: name)])
        guard !session.group.roster.fullHistory, !contents.isEmpty, session.hasRoom(for: .profile) else { return }
        let epoch = try await sealingEpoch(of: session)
        try await write(in: session) { author, wall in
            contents.map { author.write($0, under: epoch, wallMilliseconds: wall) }
        }
    }

    private func isWrappingKeyDue(in session: TourSession) -> Bool {
        guard session.isActive, !isStopping, sessions[session.tour] === session, session.hasRoom(for: .control) else {
            return false
        }
        if session.wrapping.isNewDue(wallMilliseconds: NodeClock.wallMilliseconds) { return true }
        // The key was stored, but the node stopped before publishing it.
        let published = session.group.keyring.holders.newestKey(of: session.own)?.key
        return published != session.wrapping.newest.publicKey
    }

    private func considerWrappingKey(in session: TourSession) {
        guard session.epochs.publishing == nil, isWrappingKeyDue(in: session) else { return }
        let members = Int64(max(session.group.roster.active.count, 1))
        let longest = min(Self.publishingTime.microseconds * members, Self.publishingTimeMax.microseconds)
        let chance = Int64.random(in: 0...longest, using: &rng)
        let tour = session.tour
        session.epochs.publishing = loop.scheduleTask(in: .microseconds(chance)) { [weak self] () -> Void in
            guard let self else { return }
            Task { await self.publishWrappingKey(in: tour) }
        }
    }

    private func publishWrappingKey(in tour: TourID) async {
        guard let session = sessions[tour] else { return }
        defer { session.epochs.publishing = nil }
        let wall = NodeClock.wallMilliseconds
        guard isWrappingKeyDue(in: session) else { return }
        if session.wrapping.isNewDue(wallMilliseconds: wall) {
            session.wrapping.add(WrappingKeyPair(), wallMilliseconds: wall)
        }
        let key = session.wrapping.newest.publicKey
        do {
            // The private half is on the disk before anybody can wrap to the public one.
            try save(session)
            try await write(control: .wrappingKey(key), in: session)
            try await publishNames(with: [], in: session)
        } catch {
            reportFailure("publishing a wrapping key failed", error)
        }
    }

    /// Counts and logs a failure; a later check tries again.
    private func reportFailure(_ what: String, _ error: any Error) {
        if let fault = error as? any Fault { count(fault) }
        logger.error("\(what)", metadata: ["error": "\(error)"])
    }
}
