import Glibc
import Synchronization
import TourBus

/// Shows notifications and hears what becomes of them, on a thread of its own: the bus and the server may be slow, hang
/// or go away, and nobody waits for them. Nothing runs where there is nothing to show.
package final class NotificationDesk: Sendable {
    /// What happened to the notification of a tour.
    package enum Event: Hashable, Sendable {
        case dismissed(tour: String)
        case answered(Notice.Reply, tour: String)
    }

    private enum Order {
        case show(Notice)
        case close
    }

    private struct State {
        /// The newest of each tour.
        var orders: [String: Order] = [:]
        var isRunning = false
        var isEnding = false
        var ended: [CheckedContinuation<Void, Never>] = []
    }

    /// So long nothing is tried, and what there is to show is let go, where the server did not do what it was asked.
    private static let retryPause: Duration = .seconds(10)
    private let state = Mutex(State())
    /// Wakes the thread.
    private let bell: WakeBell
    private let openWord: String
    private let open: @Sendable (Notice) -> Void
    private let report: @Sendable (Event) -> Void

    /// Whether there is a session whose desktop could be told.
    package static var isPossible: Bool { BusConnection.isThere }

    /// - Parameters:
    ///   - open: somebody wants to see what a notification tells; called on the desk's thread.
    ///   - report: called there too.
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

    package func show(_ notice: Notice) { order(.show(notice), for: notice.tour) }

    package func close(tour: String) { order(.close, for: tour) }

    /// Takes down what is up, and ends.
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

    // From here on: the thread.

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
                // The next notice looks for another bus.
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
            // One that went away meanwhile may be back as another.
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
