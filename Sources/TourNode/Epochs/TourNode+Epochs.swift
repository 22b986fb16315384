import Logging
import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

// Keys: storing and showing what arrives, and writing what the tour's machine asks for: rekeys, wrapping keys, codes.
// Source: `Protocol/05-events.md`, "Epochs".
extension TourNode {
    private static let horizonInterval: Duration = .seconds(10)
    /// How long a writer waits for a key that a removed device lacks.
    private static let keyWaitMax: Duration = .seconds(15)
    private static let keyWaitsMax = 1_000

    /// A member who removes somebody ends every code: makes new ones.
    func makeOwedInvite(in session: TourSession) async {
        defer { feed(session, .madeInvite) }
        guard !isStopping else { return }
        do {
            try await writeOwedLicences(under: sealingEpoch(of: session), in: session)
            _ = try await createInvite(in: session, .standard, governs: true)
        } catch {
            reportFailure("making a code after a removal failed", error)
        }
    }

    /// Once a second; most of the work is done less often.
    func tickEpochs(now: Instant) {
        for session in sessions.values { session.endKeyWaits() }
        if let last = ticks.horizonCheck, now - last < Self.horizonInterval { return }
        ticks.horizonCheck = now
        for session in sessions.values { reviewKeys(of: session) }
    }

    /// Keys changed: stores them before anything depends on them.
    func saveKeys(of session: TourSession, isErasing: Bool) {
        do { try save(session) } catch { reportFailure("storing keys failed", error) }
        // Empties the database's log, which still held the older keys.
        if isErasing { writeBeside { store throws(StoreError) in try store.checkpoint(.whole) } }
    }

    /// New keys arrived: shows the events that they open, and resumes waiting writers.
    func learnt(_ epochs: Set<EpochID>, _ session: TourSession) {
        let keyring = session.group.keyring
        for event in ((try? store.profileEvents(session.tour)) ?? []).map(\.event)
        where !epochs.isDisjoint(with: keyring.parts(of: event.header.epoch)) {
            session.decorate(event)
            notifyOfWithdrawal(event, session)
        }
        findFiles(of: session)
        readAnnounced(of: session)
        recordProgrammeChange(in: session.tour)
        session.reviewNameWait()
        for header in session.machine.drainReadable() {
            notifyOfChange(header.author, header.sequence...header.sequence, session)
        }
        session.endKeyWaits()
        advertise()
    }

    /// The key to seal under now. While every key is known to somebody who was removed, the writer waits for one.
    /// - Throws: `NodeError`, code `waiting-for-key`, when none arrived in time.
    func sealingEpoch(of session: TourSession) async throws -> EpochKey {
        let deadline = NodeClock.now + Self.keyWaitMax
        while true {
            if let epoch = session.group.keyring.sending { return epoch }
            guard NodeClock.now < deadline, !isStopping, session.isActive,
                session.keyWaits.count < Self.keyWaitsMax, sessions[session.tour] === session
            else { throw NodeError.waitsForKey(session.record.name) }
            await keyNews(in: session)
        }
    }

    func sealingEpoch(in tour: TourID) async throws -> EpochKey {
        guard let session = sessions[tour] else { throw NodeError.notActive }
        return try await sealingEpoch(of: session)
    }

    /// Suspends until keys change, but at most for a second.
    private func keyNews(in session: TourSession) async {
        await withCheckedContinuation { (one: CheckedContinuation<Void, Never>) in
            session.keyWaits.append(one)
        }
    }

    /// Makes the epoch that begins with a newcomer, if there is to be one.
    func beginEpoch(for newcomer: MemberID, in session: TourSession) async {
        while !isStopping {
            switch session.machine.beginEpoch(for: newcomer, at: NodeClock.reading) {
            case .none: return
            case .later: await keyNews(in: session)
            case .begins: return await rekey(session.tour)
            }
        }
    }

    func beginEpoch(for newcomer: MemberID, in tour: TourID) async {
        if let session = sessions[tour] { await beginEpoch(for: newcomer, in: session) }
    }

    func rekey(_ tour: TourID) async {
        guard let session = sessions[tour], !isStopping else { return }
        do {
            let rekey = try session.machine.rekeyBody(key: EpochKey.randomKey(), at: NodeClock.reading)
            // Our own wrap gives us the key once the event is on the disk.
            try await write(control: rekey.body, in: session, governs: rekey.isRemoval)
        } catch {
            feed(session, .rekeyed(isWritten: false))
            session.endKeyWaits()
            return reportFailure("making an epoch failed", error)
        }
        feed(session, .rekeyed(isWritten: true))
        session.endKeyWaits()
        do {
            let tourName = session.isNamed ? [Content.tourInfo(name: session.record.name)] : []
            try await publishNames(with: tourName, in: session)
        } catch {
            reportFailure("publishing names in a new epoch failed", error)
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

    func publishWrappingKey(in tour: TourID) async {
        guard let session = sessions[tour], !isStopping else { return }
        defer { feed(session, .publishedKey) }
        let key = session.machine.prepareWrappingKey(at: NodeClock.reading) { WrappingKeyPair() }
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

extension TourSession {
    /// How many epochs' secrets are tried in turn where nobody opens to the newest: the peer may be behind.
    private static let credentialsTried = 8

    func credential(for target: Dialer.Target, datagramPort: Int) -> LinkCredential? {
        let credentials = memberCredentials(datagramPort: datagramPort).prefix(Self.credentialsTried)
        guard !credentials.isEmpty else { return nil }
        return credentials[epochChoice.choice(of: credentials.count, for: target.address)]
    }

    /// Resumes the writers that wait for a key, so that they look again.
    func endKeyWaits() {
        let waiting = keyWaits
        keyWaits = []
        for one in waiting { one.resume() }
    }
}
