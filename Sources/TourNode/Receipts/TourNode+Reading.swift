import TourGroup
import TourModel
import TourStore
import TourWords

// What the user has seen. A message counts as read once it was displayed, and only then; to others it is said up to
// the first that was not. Source: `Protocol/06-replication.md`, "Claims".
extension TourNode {
    /// So many messages are said to be displayed at once.
    package static let displayedMax = 500

    /// These messages were on the user's screen, long enough to be seen.
    /// - Parameter ids: whole ids, in hexadecimal digits; what is no message of the tour, or cannot be read yet for
    ///   want of its key, is left out.
    /// - Returns: how many are unread now.
    /// - Throws: `bad-request` for more than `displayedMax`, or for what is no id.
    package func markDisplayed(_ ids: [String], in tour: String?) async throws -> Int {
        let session = try session(tour)
        let events = ids.compactMap { EventID(hex: $0) }
        guard events.count == ids.count, ids.count <= Self.displayedMax else {
            throw NodeError(
                "bad-request", Phrase("Name the messages by their whole ids, at most \(Self.displayedMax) at once."))
        }
        let view = session.view(store)
        let marked = try await beside { try view.markDisplayed(events) }
        if marked { await reviewReading(of: session) }
        return try unread(in: session)
    }

    /// The same of any number that were written out to the user.
    package func markWritten(_ ids: [String], in tour: String?) async throws {
        for start in stride(from: 0, to: ids.count, by: Self.displayedMax) {
            _ = try await markDisplayed(Array(ids[start..<min(start + Self.displayedMax, ids.count)]), in: tour)
        }
    }

    /// Works out how far everything was displayed, and says so.
    func reviewReading(of session: TourSession) async {
        guard !session.reading.isUnderReview else { return session.reading.isStale = true }
        session.reading.isUnderReview = true
        defer { session.reading.isUnderReview = false }
        repeat {
            session.reading.isStale = false
            let view = session.view(store)
            do {
                let clock = try await beside { try view.displayedThrough() }
                // What arrived late meanwhile is not in that.
                if !session.reading.isStale, sessions[session.tour] === session { readMoved(to: clock, session) }
            } catch {
                return
            }
        } while session.reading.isStale
    }

    /// Messages came late, with clocks up to which all was read: nobody has seen these. The replication has noticed
    /// that itself.
    func holdReading(_ arrived: [ArrivedEvent], _ session: TourSession) {
        let read = session.record.readThrough
        let late = arrived.lazy.map(\.stored.event.header).filter {
            $0.clock <= read && $0.author != session.own && $0.eventClass.isMessage
        }.map(\.clock).min()
        guard let late else { return }
        session.reading.isStale = true
        readMoved(to: LogicalClock(value: late.value - min(late.value, 1)), session)
        // It may be nothing that is shown: then nothing was missed.
        Task { await reviewReading(of: session) }
    }

    /// Runs what blocks beside the event loop.
    private func beside<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { answer in
            reader.submit {
                let result = Result { try work() }
                return { answer.resume(with: result) }
            }
        }
    }
}

/// Whether it is being worked out how far the user has read.
struct ReadingReview {
    var isUnderReview = false
    /// Something changed since it began.
    var isStale = false
}

extension TourView {
    /// Messages looked at in one go.
    private static let reviewCount = 256

    /// - Returns: whether one of them was not marked before.
    func markDisplayed(_ ids: [EventID]) throws -> Bool {
        let legible = try ids.filter { id in try store.events(tour, idPrefix: id.hex).first.map(isLegible) ?? false }
        return try !store.markSeen(tour, legible).isEmpty
    }

    /// What waits for a key was displayed as something unknown: it is to be seen once the key is there.
    private func isLegible(_ stored: StoredEvent) -> Bool {
        stored.archived != nil || stored.event.header.clock <= historyEnd || group.opens(stored.event)
    }

    /// Up to which clock everything was displayed that is shown at all.
    func displayedThrough() throws -> LogicalClock {
        let end = LogicalClock(milliseconds: NodeClock.wallMilliseconds + Limits.clockLeadMillisecondsMax + 1)
        let newest = try store.messages(tour, MessageQuery(beforePosition: .start(of: end), limit: 1, last: true)).last
        let newestClock = newest?.event.header.clock ?? .zero
        guard let first = try firstUnread() else { return newestClock }
        let clock = first.event.header.clock
        return min(newestClock, LogicalClock(value: clock.value - min(clock.value, 1)))
    }

    /// The first in the tour's order that was not displayed. What stands before it and is not shown is marked, so that
    /// it need not be looked at again.
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

    /// What was not displayed, our own among it.
    private var unseen: MessageQuery {
        var query = MessageQuery(afterPosition: .end(of: historyEnd), ends: group.roster.ends)
        query.isUnseen = true
        return query
    }
}
