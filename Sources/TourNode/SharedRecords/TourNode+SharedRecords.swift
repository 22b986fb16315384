import TourAPI
import TourGroup
import TourModel
import TourNotebook
import TourStore
import TourWire

// Records of their notebooks that guides share. Source: `Protocol/12-notebook.md`, "Shared records".
extension TourNode {
    /// The records shared in a tour now, by title.
    package func sharedRecords(_ tour: String?) async throws -> [SharedSummary] {
        let view = try session(tour).view(store)
        return try await Self.besideTheLoop {
            try view.sharedNow().compactMap { read in read.record.map { view.summary(of: read.version, $0) } }
        }
    }

    /// - Parameter name: its id, six or more of the id's first digits, or its title; or the id of a message that
    ///   published it, which means the version of that message.
    /// - Parameter changes: whether to compare it with the previous version.
    /// - Throws: `unknown-record`, `not-shared`.
    package func sharedRecord(_ name: String, changes: Bool, in tour: String?) async throws -> SharedRecordView {
        let view = try session(tour).view(store)
        return try await Self.besideTheLoop {
            let read = try view.shared(name)
            guard let record = read.record else { throw NodeError.shared(.notShared(read.version.head.title)) }
            let before = changes ? try view.before(read.version) : nil
            let difference = before.flatMap { before in
                before.record.flatMap { RecordDifference(from: $0, to: record) }
                    .map { SharedChangesView($0, since: before.version.number) }
            }
            return SharedRecordView(view.summary(of: read.version, record), record, difference)
        }
    }

    /// Shares an item of the notebook as it is now; publishes a new version of one that is shared already.
    /// - Throws: `not-allowed` for a member who does not lead; `unknown-item`, `unchanged`, `too-large`,
    ///   `share-full`.
    package func publish(_ item: String, as kind: SharedKind, in tour: String?) async throws -> PublishedRecord {
        let session = try leading(tour)
        let (id, record) = try await notebook.sharedRecord(item, kind)
        let view = session.view(store)
        let (version, current) = try await Self.besideTheLoop { (try view.nextVersion(of: id), try view.current(id)) }
        guard current?.record != record else {
            throw NodeError.shared(.unchanged(record.title))
        }
        guard let parts = record.parts(of: id, version: version) else {
            throw NodeError.shared(.tooLarge(record.title))
        }
        return try await publish(parts, in: session)
    }

    /// Ends the sharing: only the messages that published the record show it from now on.
    /// - Throws: `not-allowed`, `unknown-record`, `not-shared`.
    package func unpublish(_ name: String, as kind: SharedKind, in tour: String?) async throws -> PublishedRecord {
        let session = try leading(tour)
        let view = session.view(store)
        let (read, version) = try await Self.besideTheLoop {
            let read = try view.shared(name)
            return (try view.current(read.version.record) ?? read, try view.nextVersion(of: read.version.record))
        }
        guard read.version.head.kind == kind else { throw NodeError.shared(.unknownRecord(name)) }
        guard read.record != nil else { throw NodeError.shared(.notShared(read.version.head.title)) }
        let part = SharedPart.takingBack(read.version.record, version: version, read.version.head)
        return try await publish([part], in: session)
    }

    /// Writes the parts in a row to our log, in one commit: all of them or none.
    private func publish(_ parts: [SharedPart], in session: TourSession) async throws -> PublishedRecord {
        let epoch = try await sealingEpoch(of: session)
        let events = try await write(in: session) { author, wall in
            parts.map { author.write(.shared($0), under: epoch, wallMilliseconds: wall) }
        }
        recordUse(of: session)
        guard let event = events.last, let part = parts.last, let head = part.head else { throw NodeError.busy }
        return PublishedRecord(
            id: event.id.hex, status: .pending, record: part.record.text, type: head.kind.word,
            title: head.title, version: part.version)
    }
}

// Operations of readers on a shared record.
extension TourNode {
    /// Copies a record into our own notebook, as new items.
    /// - Throws: `unknown-record`, `not-shared`, `bad-item`, and the codes of `StoreError`.
    package func copyShared(_ name: String, in tour: String?) async throws -> CopiedRecord {
        let view = try session(tour).view(store)
        let read = try await Self.besideTheLoop { try view.shared(name) }
        guard let record = read.record else { throw NodeError.shared(.notShared(read.version.head.title)) }
        let id = try await notebook.addCopy(of: record)
        return CopiedRecord(id: id.text, type: record.kind.word, title: record.title)
    }

    /// Makes a stop the meeting point: one of our own notebook, or one of a shared itinerary.
    /// - Parameters:
    ///   - text: The words for everybody; nil: the stop's note.
    ///   - at: In milliseconds since 1970; nil: the stop's time, if that is still to come.
    /// - Throws: `unknown-stop`, and those of `meet`.
    package func meet(
        atStop name: String, text: String? = nil, at: Int64?, expiresSeconds: Int64?, in tour: String?
    ) async throws -> SentMessage {
        let session = try leading(tour)
        let stop = try await stop(name, session)
        let now = NodeClock.wallMilliseconds
        let planned = stop.at.map { $0 * 1_000 }.flatMap { $0 > now ? $0 : nil }
        let note = text ?? stop.note.map { Self.clipped($0, Limits.textBytesMax - stop.title.utf8.count) } ?? ""
        let draft = MeetingDraft(
            place: stop.place, label: note.isEmpty ? "" : stop.title, text: note.isEmpty ? stop.title : note,
            at: at ?? planned, expiresSeconds: expiresSeconds)
        return try await meet(draft, in: session.tour.hex)
    }

    /// Finds a stop by its id, six or more of the id's first digits, or its title.
    private func stop(_ name: String, _ session: TourSession) async throws -> Stop {
        let view = session.view(store)
        let shared: [SharedStop]
        do {
            shared = try await Self.besideTheLoop { try view.sharedNow().flatMap { $0.record?.stops ?? [] } }
        } catch {
            throw NodeError(storing: error)
        }
        var stops = Dictionary(shared.map { ($0.id, Stop($0)) }) { first, _ in first }
        // Our own stop is newer than the version of it that we shared.
        try await stops.merge(notebook.stops()) { $1 }
        let called = SharedName(name)
        let byID = stops.filter { called.isBeginning(of: $0.key) }
        let found = byID.isEmpty ? stops.filter { called.isTitle($0.value.title) } : byID
        if found.count > 1 {
            let candidates = found.sorted { $0.key < $1.key }.prefix(5)
            throw NodeError.ambiguous(name, candidates.map { "\($0.key.digits.prefix(12)) (\($0.value.title))" })
        }
        guard let stop = found.values.first else {
            throw NodeError.shared(.unknownStop(name))
        }
        return stop
    }

    /// As many whole characters as fit into `bytesMax`.
    private static func clipped(_ text: String, _ bytesMax: Int) -> String {
        guard text.utf8.count > bytesMax else { return text }
        var clipped = ""
        var bytes = "…".utf8.count
        for character in text {
            bytes += character.utf8.count
            if bytes > bytesMax { break }
            clipped.append(character)
        }
        return clipped + "…"
    }
}

extension TourView {
    fileprivate func summary(of version: SharedState.Version, _ record: SharedRecord) -> SharedSummary {
        SharedSummary(
            record: version.record.text, type: record.kind.word, title: record.title,
            version: version.number, authorID: version.position.author.hex,
            authorName: distinctName(of: version.position.author), messageID: version.id.hex,
            publishedAt: Timestamp.text(milliseconds: version.position.clock.milliseconds),
            stops: record.kind == .itinerary ? record.stops.count : nil)
    }

    /// One above every version that was written, incomplete ones included.
    fileprivate func nextVersion(of record: NotebookID) throws -> UInt64 {
        min((try sharedState().versions(of: record).last?.number ?? 0) + 1, Limits.sharedVersionMax)
    }
}
