import TourAPI
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

// Writing: from a draft to a durable, signed event that is sent.
extension TourNode {
    /// Seals, signs and stores drafts in one commit; returns when they are on the disk.
    /// - Throws: when none can be written. A draft that alone is refused gives its error.
    package func send(_ drafts: [Draft], to tour: String?) async throws -> [Result<SentMessage, NodeError>] {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        let contents = drafts.map { draft -> Result<Content, NodeError> in
            Result { () throws(NodeError) -> Content in try content(of: draft, in: session) }
        }
        let sound = contents.compactMap { try? $0.get() }
        let replaced = zip(drafts, contents).compactMap { draft, content in
            (try? content.get()) == nil ? nil : draft.replaces.flatMap { try? own($0, in: session) }
        }
        var stored = [Event]()
        if !sound.isEmpty {
            let epoch = try await sealingEpoch(of: session)
            stored = try await write(in: session) { author, wall in
                (sound + replaced.map { .withdrawal($0) }).map {
                    author.write($0, under: epoch, wallMilliseconds: wall)
                }
            }[...].map { $0 }
        }
        recordUse(of: session)
        var events = stored.makeIterator()
        return contents.map { content in
            content.flatMap { _ in
                guard let event = events.next() else { return .failure(NodeError.busy) }
                return .success(SentMessage(id: event.id.hex, seq: event.header.sequence, status: .pending))
            }
        }
    }

    private func content(of draft: Draft, in session: TourSession) throws(NodeError) -> Content {
        guard !draft.text.looksEmpty || draft.location != nil else {
            throw NodeError.message(.empty)
        }
        try DraftText.check(draft.text, bytesMax: Limits.textBytesMax, .message(.tooLong))
        let isUrgent = draft.isAnnouncement && draft.urgent
        let expiresAt = try Self.expiry(
            inSeconds: draft.expiresSeconds ?? (isUrgent ? UrgentState.standardSeconds : nil))
        var replyTo: EventID?
        if let prefix = draft.replyTo {
            do { replyTo = try session.view(store).answered(prefix) } catch {
                throw NodeError(storing: error)
            }
        }
        if let replaced = draft.replaces {
            do { _ = try own(replaced, in: session) } catch { throw NodeError(storing: error) }
        }
        if let alone = draft.alone ?? session.reader(ofAnswerTo: replyTo, by: session.own) {
            return try word(draft, to: alone, replyTo, in: session)
        }
        try session.checkQuiet(for: session.own)
        if let fix = draft.location {
            let label = draft.text.isEmpty ? nil : draft.text
            return .location(Content.Location(fix: fix, label: label, replyTo: replyTo))
        }
        guard draft.isAnnouncement else { return .text(draft.text, replyTo: replyTo) }
        guard session.rank.leads else { throw NodeError.notAllowed }
        return .announcement(
            Content.Announcement(text: draft.text, urgent: draft.urgent, expiresAt: expiresAt, replyTo: replyTo))
    }

    /// The end of something that is valid for this many seconds, in milliseconds since 1970; nil stays nil.
    static func expiry(inSeconds seconds: Int64?) throws(NodeError) -> Int64? {
        guard let seconds else { return nil }
        guard (1...Limits.expirySecondsMax).contains(seconds) else { throw NodeError.badExpiry }
        return NodeClock.wallMilliseconds + seconds * 1_000
    }

    /// Withdraws a message of our own.
    /// - Throws: `not-yours`, and why nothing can be written to the tour.
    package func withdraw(_ idPrefix: String, in tour: String?) async throws -> WithdrawnMessage {
        let session = try session(tour)
        let stored = try session.view(store).event(idPrefix: idPrefix)
        try await write(content: .withdrawal(try own(idPrefix, in: session)), in: session)
        return WithdrawnMessage(
            id: stored.event.id.hex, status: session.machine.receipts.state.status(of: stored.event))
    }

    /// - Throws: `not-yours`.
    private func own(_ idPrefix: String, in session: TourSession) throws -> EventID {
        let event = try session.view(store).event(idPrefix: idPrefix).event
        guard event.header.author == session.own else { throw NodeError.message(.notOurs) }
        return event.id
    }

    func write(content: Content, in tour: TourID) async throws {
        guard let session = sessions[tour] else { throw NodeError.notActive }
        try await write(content: content, in: session)
    }

    func write(control body: ControlBody, in tour: TourID) async throws {
        guard let session = sessions[tour] else { throw NodeError.notActive }
        try await write(control: body, in: session)
    }

    func write(content: Content, in session: TourSession) async throws {
        let epoch = try await sealingEpoch(of: session)
        try await write(in: session) { author, wall in [author.write(content, under: epoch, wallMilliseconds: wall)] }
    }

    /// Writes a control event to our own log.
    /// - Parameter governs: whether the event may use the part of our share that is reserved for governing the tour.
    /// - Throws: also `too-large`, before anything is signed: everybody would refuse the event, and the log would be
    ///   stuck.
    @discardableResult
    func write(control body: ControlBody, in session: TourSession, governs: Bool = false) async throws -> [Event] {
        guard body.isWithinBound else {
            throw NodeError.eventTooLarge
        }
        return try await write(in: session, governs: governs || body.governs) { author, wall in
            [author.write(body, wallMilliseconds: wall)]
        }
    }

    /// Writes events to our own log: chained and signed at once, confirmed and sent once they are on the disk.
    /// - Throws: `NodeError` with the store's code, or `share-full`; the log is then as before.
    /// - Parameter compose: makes the events; if it returns none, nothing is written or changed.
    @discardableResult
    func write(
        in session: TourSession, governs: Bool = false,
        _ compose: (inout Author, _ wallMilliseconds: Int64) -> [Event]
    ) async throws -> [Event] {
        let composed: OwnEvents?
        do throws(WriteRefusal) {
            composed = try session.machine.compose(governs: governs, at: NodeClock.reading, compose)
        } catch {
            throw session.error(for: error)
        }
        guard let own = composed else { return [] }
        let tour = session.tour
        let result = await withCheckedContinuation { answer in
            writer.submit(
                StoreWriter.Job(tour: tour, events: own.events.map { ($0, 0) }, isDurable: true) {
                    [weak self] result in
                    self?.assumeIsolated { node in
                        guard let session = node.sessions[tour] else { return }
                        let isStored = (try? result.get()) != nil
                        node.feed(session, .wrote(own, isStored: isStored))
                        node.perform(in: session) { node.wrote(own, result, session) }
                    }
                    answer.resume(returning: result)
                })
        }
        do { _ = try result.get() } catch { throw NodeError.store(error) }
        return own.events
    }

    private func wrote(_ own: OwnEvents, _ result: Result<[ArrivedEvent], StoreError>, _ session: TourSession) {
        switch result {
        case .success(let arrived):
            for event in own.events where event.header.eventClass == .profile {
                session.decorate(event)
                notifyOfWithdrawal(event, session)
            }
            session.files.add(from: own.events)
            recordAnnounced(own.events, session)
            recordStored(arrived, in: session.tour)
            notify(followersOf: session.tour, arrived)
        case .failure(let error): count(error)
        }
    }
}

extension TourSession {
    /// Why an event of ours cannot be written.
    fileprivate func error(for refusal: WriteRefusal) -> NodeError {
        switch refusal {
        case .ownLog: silence
        case .busy: .busy
        case .shareFull(let isControl): isControl ? .guidingFull(record.name) : .shareFull(record.name)
        }
    }
}

extension ControlBody {
    /// Whether a part of the share is reserved for this event: only its author can cause it, and without it nobody
    /// could end the acts of others. Source: `Protocol/05-events.md`, "Share".
    fileprivate var governs: Bool {
        switch self {
        case .remove, .revoke, .role, .close, .leave: true
        case .genesis, .invite, .admit, .fork, .rekey, .wrappingKey, .unknown: false
        }
    }
}
