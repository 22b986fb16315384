import NIOCore
import TourGroup
import TourModel
import TourStore
import TourWire

/// Names one reader of a tour's news.
package struct FollowerID: Hashable, Sendable {
    let value: UInt64
}

/// A reader of a tour's news: where it stands, and what changed behind that. It holds positions and never messages,
/// so a
/// slow reader costs nothing.
struct Follower {
    let tour: TourID
    /// The last stored row it was told of.
    var row: Int64
    var hasArrivals = false
    /// Per author the sequences whose status or content changed; several stretches become the one that spans them.
    var changed: [MemberID: ClosedRange<UInt64>] = [:]
    var waiting: CheckedContinuation<Void, Never>?
}

/// What is new for a follower: all that is needed to read it from the store, away from the event loop.
package struct News: Sendable {
    package let view: TourView
    let afterRow: Int64
    let changed: [MemberID: ClosedRange<UInt64>]
    /// At most so many arrivals come at once.
    private static let arrivalsMax = 512

    /// Hands over changed messages, then those that arrived, in the order of arrival.
    /// - Returns: the last row handed over, and whether there are more.
    package func read(_ body: (MessageView) throws -> Void) throws -> (row: Int64, more: Bool) {
        for author in changed.keys.sorted() {
            guard let range = changed[author] else { continue }
            var next = range.lowerBound
            while next <= range.upperBound {
                let events = try view.store.stored(view.tour, author: author, from: next, through: range.upperBound)
                for stored in events {
                    if let message = view.view(stored.stored), stored.row <= afterRow { try body(message) }
                }
                guard let last = events.last else { break }
                next = last.stored.event.header.sequence + 1
            }
        }
        let arrived = try view.store.rows(view.tour, afterRow: afterRow, limit: Self.arrivalsMax)
        for arrival in arrived {
            if let message = view.view(arrival.stored) { try body(message) }
        }
        return (arrived.last?.row ?? afterRow, arrived.count == Self.arrivalsMax)
    }
}

extension TourNode {
    /// A picture of a tour, for listing.
    package func view(_ tour: String?) throws -> TourView { try session(tour).view(store) }

    /// Starts to follow a tour: everything that is stored after this moment will be news.
    /// - Returns: the follower, and the picture to list what was stored before.
    package func follow(_ tour: String?) throws -> (FollowerID, TourView) {
        let session = try session(tour)
        let row: Int64
        do { row = try store.lastRow(session.tour) } catch { throw NodeError.store(error) }
        let id = FollowerID(value: nextFollower)
        nextFollower += 1
        followers[id] = Follower(tour: session.tour, row: row)
        return (id, session.view(store))
    }

    /// Suspends until there is news, the follower is ended, or the task is cancelled.
    /// - Returns: nil at the end.
    package func news(for id: FollowerID) async -> News? {
        while let follower = followers[id] {
            if follower.hasArrivals || !follower.changed.isEmpty {
                guard let session = sessions[follower.tour] else { return nil }
                followers[id]?.hasArrivals = false
                followers[id]?.changed = [:]
                return News(view: session.view(store), afterRow: follower.row, changed: follower.changed)
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiting in
                    if followers[id] == nil || Task.isCancelled {
                        waiting.resume()
                    } else {
                        followers[id]?.waiting = waiting
                    }
                }
            } onCancel: {
                loop.execute { self.assumeIsolated { $0.endFollower(id) } }
            }
        }
        return nil
    }

    /// The follower was told of everything up to this row.
    package func told(_ id: FollowerID, through row: Int64, more: Bool) {
        guard let follower = followers[id] else { return }
        followers[id]?.row = max(follower.row, row)
        if more { followers[id]?.hasArrivals = true }
    }

    package func endFollower(_ id: FollowerID) { followers.removeValue(forKey: id)?.waiting?.resume() }

    func wake(followersOf tour: TourID) {
        for (id, follower) in followers where follower.tour == tour {
            followers[id]?.hasArrivals = true
            followers[id]?.waiting = nil
            follower.waiting?.resume()
        }
    }

    /// Messages that followers have seen are not what they were.
    func noteChange(_ author: MemberID, _ range: ClosedRange<UInt64>, _ session: TourSession) {
        for (id, follower) in followers where follower.tour == session.tour {
            let old = follower.changed[author] ?? range
            followers[id]?.changed[author] =
                min(old.lowerBound, range.lowerBound)...max(old.upperBound, range.upperBound)
        }
    }

    /// A withdrawal changes the message that it takes back.
    func noteWithdrawal(_ event: Event, _ session: TourSession) {
        guard let content = try? session.group.open(event), case .withdrawal(let id) = content,
            let stored = try? store.events(session.tour, idPrefix: id.hex).first?.event
        else { return }
        noteChange(stored.header.author, stored.header.sequence...stored.header.sequence, session)
    }

    /// Marks everything up to a message as read; nil: everything.
    /// - Returns: how many are unread now.
    package func markRead(_ tour: String?, through idPrefix: String?) throws -> Int {
        let session = try session(tour)
        let clock: LogicalClock
        if let idPrefix {
            clock = try session.view(store).event(idPrefix: idPrefix).event.header.clock
        } else {
            do {
                clock =
                    try store.messages(session.tour, MessageQuery(limit: 1, last: true)).last?.event.header.clock
                    ?? .zero
            } catch {
                throw NodeError.store(error)
            }
        }
        if clock > session.record.readThrough {
            session.record.readThrough = clock
            try save(session)
        }
        return try unread(in: session)
    }
}

extension TourNode {
    /// Every stream of news ends: the node is stopping.
    package func endFollowers() {
        for follower in followers.keys { endFollower(follower) }
    }

    package var displayName: String { name }
}
