import Glibc
import Synchronization
import TourBus

/// Shows notifications and receives the user's reactions, on a thread of its own: the bus and the server may be slow,
/// hang or go away, and nothing else waits for them. The thread runs only while there is something to show.
package final class NotificationThread: Sendable {
    /// An event of a tour's notification.
    package enum Event: Hashable, Sendable {
        case dismissed(tour: String)
        case answered(Notice.Reply, tour: String)
    }

    private enum Order {
        case show(Notice)
        case close
    }

    private struct State {
        /// The newest order of each tour.
        var orders: [String: Order] = [:]
        var isRunning = false
        var isEnding = false
        var ended: [CheckedContinuation<Void, Never>] = []
    }

    /// After a failure of the server nothing is tried for this long, and pending notifications are dropped.
    private static let retryPause: Duration = .seconds(10)
    private let state = Mutex(State())
    /// Wakes the thread.
    private let bell: WakeBell
    private let openWord: String
    private let open: @Sendable (Notice) -> Void
    private let report: @Sendable (Event) -> Void

    /// Whether there is a session with a desktop to notify.
    package static var isPossible: Bool { BusConnection.isThere }

    /// - Parameters:
    ///   - open: called on the desk's thread when the user wants to open a notification.
    ///   - report: called there with each event.
    /// - Returns: nil where there is no session bus, or no more open files are allowed.
    package init?(
        openWord: String, open: @escaping @Sendable (Notice) -> Void, report: @escaping @Sendable (Event) -> Void
    ) {
        guard BusConnection.isThere, let bell = WakeBell() else { return nil }
        self.bell = bell
        self.openWord = openWord
        self.open = open
        self.report = report
    }

    /// Shows a notification in place of the tour's present one.
    package func show(_ notice: Notice) { order(.show(notice), for: notice.tour) }

    /// Removes the tour's notification.
    package func close(tour: String) { order(.close, for: tour) }

    /// Removes all notifications, and ends the thread.
    package func end() async {
        await withCheckedContinuation { ended in
            let isOver = state.withLock { state in
                state.isEnding = true
                if state.isRunning { state.ended.append(ended) }
                return !state.isRunning
            }
            if isOver { ended.resume() } else { bell.ring() }
        }
    }

    private func order(_ order: Order, for tour: String) {
        let mustStart = state.withLock { state in
            guard !state.isEnding else { return false }
            state.orders[tour] = order
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart, !OwnThread.start({ [self] in work() }) {
            state.withLock { $0.isRunning = false }
        }
        bell.ring()
    }

    // From here on: code of the thread.

    private func work() {
        var server: NotificationServer?
        var failedAt: ContinuousClock.Instant?
        while true {
            bell.silence()
            let (orders, isEnding) = state.withLock { state in
                defer { state.orders = [:] }
                return (state.orders, state.isEnding)
            }
            do throws(BusError) {
                if isEnding {
                    for tour in server?.tours ?? [] { try server?.close(tour: tour) }
                    break
                }
                let isPaused = failedAt.map { ContinuousClock.now - $0 < Self.retryPause } ?? false
                for (tour, order) in orders where !isPaused { try carryOut(order, for: tour, &server) }
            } catch {
                server = nil
                failedAt = .now
                if isEnding { break }
            }
            do throws(BusError) {
                for event in try server?.events() ?? [] { heed(event) }
            } catch {
                // The next notice connects to the bus again.
                server = nil
            }
            bell.wait(with: server?.descriptor)
        }
        let ended = state.withLock { state in
            state.isRunning = false
            return state.ended
        }
        for waiting in ended { waiting.resume() }
    }

    private func carryOut(
        _ order: Order, for tour: String, _ server: inout NotificationServer?
    ) throws(BusError) {
        guard case .show(let notice) = order else {
            try server?.close(tour: tour)
            return
        }
        do throws(BusError) {
            // A server that went away may have been replaced by another.
            if let known = server {
                try known.show(notice)
                return
            }
        } catch {
            server = nil
        }
        let found = try NotificationServer(openWord: openWord)
        server = found
        try found.show(notice)
    }

    private func heed(_ event: NotificationServer.Event) {
        switch event {
        case .opened(let notice): open(notice)
        case .answered(let reply, let tour): report(.answered(reply, tour: tour))
        case .closed(let tour): report(.dismissed(tour: tour))
        }
    }
}
