import NIOCore
import TourAPI
import TourGroup
import TourModel
import TourStore
import TourWire

/// A reader of a tour's news: its position, later arrivals, and changes to messages before its position. It keeps few
/// messages at most, so that a slow reader costs next to nothing: the reader fetches the rest from the store. Lives
/// on the node's actor.
final class Follower {
    /// How many arrivals are kept for a reader.
    static let arrivalsMax = 64
    let tour: TourID
    /// The last stored row that the reader was given.
    var row: Int64
    /// Later arrivals in order, while they are few.
    private(set) var arrived: [ArrivedEvent] = []
    /// More events arrived than are kept: the reader fetches them from the store, up to `newest`.
    private var isBehind = false
    /// The last row that arrived.
    private var newest: Int64
    /// Per author the sequences whose status or content changed; several ranges merge into one that spans them.
    private(set) var changed: [MemberID: ClosedRange<UInt64>] = [:]
    /// The same for many changes at once: a member is still receiving these messages, so they will change again.
    private var changing = SettlingChanges()
    /// The newest notes on the roster; empty for a reader that wants messages only.
    private(set) var notes: [TourNote] = []
    private let takesNotes: Bool
    private let quietMax: Duration
    /// The guest whose messages are `mine` there; nil: this node's member.
    let guest: MemberID?
    static let notesMax = 64
    var waiting: CheckedContinuation<Void, Never>?
    /// When the reader was last given anything.
    private var toldAt: Instant
    /// Nothing happened for long: the reader gets a sign of life.
    private var isSignDue = false

    init(
        tour: TourID, row: Int64, takesNotes: Bool = false, as guest: MemberID? = nil, quietMax: Duration, now: Instant
    ) {
        self.takesNotes = takesNotes
        self.guest = guest
        self.quietMax = quietMax
        self.tour = tour
        self.row = row
        newest = row
        toldAt = now
    }

    var hasNews: Bool { isBehind || isSignDue || !arrived.isEmpty || !changed.isEmpty || !notes.isEmpty }

    func record(_ note: TourNote) {
        guard takesNotes else { return }
        notes = notes.suffix(Self.notesMax - 1) + [note]
    }

    func tick(now: Instant) {
        for (author, range) in changing.settled(now: now) { record(changed: author, range) }
        if now - toldAt >= quietMax { isSignDue = true }
    }

    func record(arrived events: [ArrivedEvent]) {
        newest = max(newest, events.last?.row ?? 0)
        guard !isBehind else { return }
        if arrived.count + events.count > Self.arrivalsMax {
            isBehind = true
            arrived = []
        } else {
            // Events stored between the start of the commit and the start of the follower are in its listing already.
            arrived += events.filter { $0.row > row }
        }
    }

    /// Resumes the waiting reader if there is news.
    func wake() {
        guard hasNews, let waiting else { return }
        self.waiting = nil
        waiting.resume()
    }

    func record(changed author: MemberID, _ range: ClosedRange<UInt64>) { changed.add(range, of: author) }

    /// The status of these messages changed.
    func record(raised author: MemberID, _ range: ClosedRange<UInt64>, now: Instant) {
        if range.upperBound - range.lowerBound < SettlingChanges.fewMax {
            record(changed: author, range)
        } else {
            changing.add(range, of: author, now: now)
        }
    }

    /// Removes and returns all news so far.
    func drainNews(view: TourView, now: Instant) -> News {
        let news = News(
            view: view, afterRow: row, throughRow: newest, arrived: isBehind ? nil : arrived,
            changed: changed.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, notes: notes,
            piece: guest == nil ? .ofOwner : .ofGuest)
        arrived = []
        notes = []
        isBehind = false
        isSignDue = false
        changed = [:]
        toldAt = now
        return news
    }
}

/// News for a follower, in the order of delivery: changed messages, then new ones in the order of arrival; empty if
/// it is only a sign of life.
package struct News: Sendable {
    private let view: TourView
    /// Notes on the roster, to show before the messages.
    package let notes: [TourNote]
    private let toldRow: Int64
    /// Later rows are left for later: the snapshot does not cover them.
    private let throughRow: Int64
    private var arrived: [ArrivedEvent]?
    private var changed: [(author: MemberID, range: ClosedRange<UInt64>)]
    /// The last row handed over; the follower continues from there.
    package private(set) var row: Int64
    private let piece: NewsPiece

    init(
        view: TourView, afterRow: Int64, throughRow: Int64, arrived: [ArrivedEvent]?,
        changed: [(author: MemberID, range: ClosedRange<UInt64>)], notes: [TourNote], piece: NewsPiece
    ) {
        self.view = view
        self.piece = piece
        self.notes = notes
        toldRow = afterRow
        self.throughRow = throughRow
        row = afterRow
        self.arrived = arrived
        self.changed = changed
    }

    /// Whether `next` reads nothing from the store: only then may it run on the event loop. A shared record is shown
    /// with its previous version, which is read from the store.
    package var isAtHand: Bool {
        changed.isEmpty && arrived.map { !$0.contains { $0.stored.event.header.eventClass == .file } } ?? false
    }

    /// - Returns: nil at the end.
    package mutating func next() throws -> [Message]? {
        if let (author, range) = changed.first { return try next(of: author, range) }
        guard let events = arrived else { return try nextStored() }
        let some = fitting(events)
        guard let last = some.last else { return nil }
        arrived = Array(events.dropFirst(some.count))
        row = max(row, last.row)
        return some.compactMap { view.view($0.stored) }
    }

    /// The first of these events, as many as make one piece.
    private func fitting(_ events: [ArrivedEvent]) -> ArraySlice<ArrivedEvent> {
        events.prefix(piece.count(of: events.lazy.map(\.stored.event.bytes.count)))
    }

    private mutating func next(of author: MemberID, _ range: ClosedRange<UInt64>) throws -> [Message] {
        let events = fitting(
            try view.store.stored(
                view.tour, author: author, from: range.lowerBound, through: range.upperBound, limit: piece.rowsMax))
        // A row that only marks a position is not read again.
        let last = max(events.last?.stored.event.header.sequence ?? .max, range.lowerBound)
        if last < range.upperBound {
            changed[0].range = last + 1...range.upperBound
        } else {
            changed.removeFirst()
        }
        return events.filter { $0.row <= toldRow }.compactMap { view.view($0.stored) }
    }

    private mutating func nextStored() throws -> [Message]? {
        let read = try view.store.rows(view.tour, afterRow: row, limit: piece.rowsMax)
        let events = fitting(read).prefix { $0.row <= throughRow }
        guard let last = events.last else { return nil }
        row = last.row
        return events.compactMap { view.view($0.stored) }
    }
}

extension TourNode {
    /// A snapshot of a tour, for listing.
    package func view(_ tour: String?) throws -> TourView { try session(tour).view(store) }

    /// Starts to follow a tour: every event stored from now on is news.
    /// - Returns: the follower, the snapshot to list earlier messages from, and the last row of that.
    /// - Parameters:
    ///   - takesNotes: whether the follower gets notes on the roster too.
    ///   - guest: the guest of this node that follows; nil: its own member.
    ///   - quietMax: after this much silence the follower gets a sign of life.
    package func follow(
        _ tour: String?, takesNotes: Bool = false, as guest: MemberID? = nil, quietMax: Duration = .seconds(15)
    ) throws -> (FollowerID, TourView, throughRow: Int64) {
        let session = try session(tour)
        let row: Int64
        do { row = try store.lastRow(session.tour) } catch { throw NodeError.store(error) }
        let id = FollowerID(value: nextFollower)
        nextFollower += 1
        followers[id] = Follower(
            tour: session.tour, row: row, takesNotes: takesNotes, as: guest, quietMax: quietMax, now: NodeClock.now)
        return (id, session.view(store), row)
    }

    /// Suspends until there is news, the follower is ended, or the task is cancelled.
    /// - Returns: nil at the end.
    package func news(for id: FollowerID) async -> News? {
        while let follower = followers[id] {
            if Task.isCancelled { break }
            if follower.hasNews {
                guard let session = sessions[follower.tour] else { return nil }
                return follower.drainNews(view: session.view(store, as: follower.guest), now: NodeClock.now)
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiting in
                    if followers[id] == nil || Task.isCancelled {
                        waiting.resume()
                    } else {
                        follower.waiting = waiting
                    }
                }
            } onCancel: {
                loop.execute { self.assumeIsolated { $0.endFollower(id) } }
            }
        }
        endFollower(id)
        return nil
    }

    /// The reader has received everything up to this row.
    package func advance(_ id: FollowerID, through row: Int64) {
        guard let follower = followers[id] else { return }
        follower.row = max(follower.row, row)
    }

    /// Ends a follower: its waiting reader gets nil.
    package func endFollower(_ id: FollowerID) { followers.removeValue(forKey: id)?.waiting?.resume() }

    func notify(followersOf tour: TourID, _ arrived: [ArrivedEvent]) {
        notifyOfArrivals(arrived, in: tour)
        for follower in followers.values where follower.tour == tour {
            follower.record(arrived: arrived)
            follower.wake()
        }
    }

    /// Messages that followers have seen changed their content.
    func notifyOfChange(_ author: MemberID, _ range: ClosedRange<UInt64>, _ session: TourSession) {
        for follower in followers.values where follower.tour == session.tour {
            follower.record(changed: author, range)
            follower.wake()
        }
    }

    /// Messages that followers have seen changed their status.
    func notifyOfStatus(_ author: MemberID, _ range: ClosedRange<UInt64>, _ session: TourSession) {
        for follower in followers.values where follower.tour == session.tour {
            follower.record(raised: author, range, now: NodeClock.now)
            follower.wake()
        }
    }

    func tickFollowers(now: Instant) {
        for follower in followers.values {
            follower.tick(now: now)
            follower.wake()
        }
    }

    /// A withdrawal changes the message that it withdraws.
    func notifyOfWithdrawal(_ event: Event, _ session: TourSession) {
        guard let content = try? session.group.open(event), case .withdrawal(let id) = content,
            let stored = try? store.events(session.tour, idPrefix: id.hex).first?.event
        else { return }
        if stored.header.eventClass == .file { recordProgrammeChange(in: session.tour) }
        notifyOfChange(stored.header.author, stored.header.sequence...stored.header.sequence, session)
    }
}

extension TourNode {
    /// Ends every stream of news: the node is stopping.
    package func endFollowers() {
        for follower in followers.keys { endFollower(follower) }
    }

    /// The name that this node's user gave.
    package var displayName: String { name }
}
