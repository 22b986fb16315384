import TourAPI
import TourGroup
import TourModel
import TourStore

// Which messages the user has seen. A message counts as read once it was displayed, and only then; claims tell others
// about everything before the first one that was not. Source: `Protocol/06-replication.md`, "Claims".
extension TourNode {
    /// How many messages one call may mark as displayed.
    package static let displayedMax = 500

    /// These messages were on the user's screen, long enough to be seen.
    /// - Parameter ids: whole ids, in hexadecimal digits; ids that are no message of the tour, or of a message whose
    ///   key is missing, are ignored.
    /// - Returns: how many are unread now.
    /// - Throws: `bad-request` for more than `displayedMax`, or for a malformed id.
    package func markDisplayed(_ ids: [String], in tour: String?) async throws -> Int {
        let session = try session(tour)
        let events = ids.compactMap { EventID(hex: $0) }
        guard events.count == ids.count, ids.count <= Self.displayedMax else {
            throw NodeError.message(.badIDs(max: Self.displayedMax))
        }
        let view = session.view(store)
        let marked = try await beside { try view.markDisplayed(events) }
        if marked { await reviewReading(of: session) }
        return try unread(in: session)
    }

    /// The same for any number of messages that were printed for the user.
    package func markWritten(_ ids: [String], in tour: String?) async throws {
        for start in stride(from: 0, to: ids.count, by: Self.displayedMax) {
            _ = try await markDisplayed(Array(ids[start..<min(start + Self.displayedMax, ids.count)]), in: tour)
        }
    }

    /// Computes how far everything was displayed, and publishes that in a claim.
    func reviewReading(of session: TourSession) async {
        guard !session.reading.isUnderReview else { return session.reading.isStale = true }
        session.reading.isUnderReview = true
        defer { session.reading.isUnderReview = false }
        repeat {
            session.reading.isStale = false
            let view = session.view(store)
            do {
                let clock = try await beside { try view.displayedThrough() }
                // The result does not cover messages that arrived late meanwhile.
                if !session.reading.isStale, sessions[session.tour] === session { readMoved(to: clock, session) }
            } catch {
                return
            }
        } while session.reading.isStale
    }

    /// Messages arrived late, with clocks below the read place: nobody has seen these. The replication noticed that
    /// by itself.
    func holdReading(_ arrived: [ArrivedEvent], _ session: TourSession) {
        let read = session.record.readThrough
        let late = arrived.lazy.map(\.stored.event.header).filter {
            $0.clock <= read && $0.author != session.own && $0.eventClass.isMessage
        }.map(\.clock).min()
        guard let late else { return }
        session.reading.isStale = true
        readMoved(to: LogicalClock(value: late.value - min(late.value, 1)), session)
        // They may display nothing: then the user has not missed any.
        Task { await reviewReading(of: session) }
    }

    /// Runs blocking work off the event loop.
    private func beside<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { answer in
            reader.submit {
                let result = Result { try work() }
                return { answer.resume(with: result) }
            }
        }
    }
}

/// Whether a computation of how far the user has read is in progress.
struct ReadingReview {
    var isUnderReview = false
    /// Something changed since it began.
    var isStale = false
}

extension TourView {
    /// How many messages one step looks at.
    private static let reviewCount = 256

    /// - Returns: whether one of them was not marked before.
    func markDisplayed(_ ids: [EventID]) throws -> Bool {
        let legible = try ids.filter { id in try store.events(tour, idPrefix: id.hex).first.map(isLegible) ?? false }
        return try !store.markSeen(tour, legible).isEmpty
    }

    /// A message without its key was displayed as unknown: it is to be seen once the key is here.
    private func isLegible(_ stored: StoredEvent) -> Bool {
        stored.archived != nil || stored.event.header.clock <= historyEnd || group.opens(stored.event)
    }

    /// The clock up to which every visible message was displayed. A message with a clock that is not to be believed
    /// counts by its place: its clock is higher.
    func displayedThrough() throws -> LogicalClock {
        let end = LogicalClock(milliseconds: NodeClock.wallMilliseconds + Limits.clockLeadMillisecondsMax + 1)
        let newest = try store.messages(tour, MessageQuery(beforePosition: .start(of: end), limit: 1, last: true)).last
        let newestClock = newest?.place ?? .zero
        guard let first = try firstUnread() else { return newestClock }
        return min(newestClock, LogicalClock(value: first.place.value - min(first.place.value, 1)))
    }

    /// The first event in the tour's order that was not displayed. Invisible events before it are marked, so that
    /// they need not be examined again.
    func firstUnread() throws -> StoredEvent? {
        var query = unseen
        query.limit = Self.reviewCount
        while true {
            let found = try store.messages(tour, query)
            let first = found.firstIndex { view($0)?.unread == true }
            _ = try store.markSeen(tour, found[..<(first ?? found.endIndex)].map(\.event.id))
            if let first { return found[first] }
            guard found.count == Self.reviewCount else { return nil }
        }
    }

    /// Events that were not displayed, our own included.
    private var unseen: MessageQuery {
        var query = MessageQuery(afterPosition: .end(of: historyEnd), ends: group.roster.ends)
        query.isUnseen = true
        return query
    }
}
