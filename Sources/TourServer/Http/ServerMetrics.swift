import Synchronization

/// Counters of this process since its start, in the text format of Prometheus. They contain nobody's data.
/// Source: Prometheus, "Text-based format", version 0.0.4.
final class ServerMetrics: Sendable {
    private struct Key: Hashable {
        var method: String
        var route: String
        var status: Int
    }

    private struct State {
        var requests: [Key: Int] = [:]
        /// Requests by the first bound that they did not exceed; the last element counts those beyond every bound.
        var durations = [Int](repeating: 0, count: bounds.count + 1)
        var durationSum = 0.0
        var messagesSent = 0
        var messagesFailed = 0
        var readingsForListeners = 0
        var rosters = 0
        var rostersUnderWay = 0
        var mailsSent = 0
        var mailsFailed = 0
        var underWay = 0
    }

    /// Seconds.
    private static let bounds = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10]
    private let state = Mutex(State())

    func begin() { state.withLock { $0.underWay += 1 } }

    /// - Parameter route: the contract's path, or `-` where no route matched: no client can create a counter.
    func end(method: String, route: String, status: Int, seconds: Double) {
        state.withLock { state in
            state.underWay -= 1
            state.requests[Key(method: method, route: route, status: status), default: 0] += 1
            state.durations[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
            state.durationSum += seconds
        }
    }

    func countMessage(isSent: Bool) {
        state.withLock { state in
            if isSent { state.messagesSent += 1 } else { state.messagesFailed += 1 }
        }
    }

    /// Counts a read of a tour's changes for its listeners.
    func countReading() { state.withLock { $0.readingsForListeners += 1 } }

    /// Counts a roster that was computed from the genesis on.
    func countRoster() { state.withLock { $0.rosters += 1 } }

    func countMail(isSent: Bool) {
        state.withLock { state in
            if isSent { state.mailsSent += 1 } else { state.mailsFailed += 1 }
        }
    }

    /// Counts the rosters that are being computed: +1 at the beginning, -1 at the end.
    func countRosters(underWay change: Int) { state.withLock { $0.rostersUnderWay += change } }

    /// - Parameter writes: the storage's counters.
    func text(writes: WriteCounts) -> String {
        let state = state.withLock { $0 }
        var lines = ["# TYPE tour_server_requests_total counter"]
        for (key, count) in state.requests.sorted(by: { Self.order($0.key) < Self.order($1.key) }) {
            let labels = "method=\"\(key.method)\",route=\"\(key.route)\",status=\"\(key.status)\""
            lines.append("tour_server_requests_total{\(labels)} \(count)")
        }
        lines.append("# TYPE tour_server_request_seconds histogram")
        var count = 0
        for (bound, part) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], state.durations) {
            count += part
            lines.append("tour_server_request_seconds_bucket{le=\"\(bound)\"} \(count)")
        }
        lines += [
            "tour_server_request_seconds_sum \(state.durationSum)", "tour_server_request_seconds_count \(count)",
            "# TYPE tour_server_requests_under_way gauge", "tour_server_requests_under_way \(state.underWay)",
            "# TYPE tour_server_sms_total counter", "tour_server_sms_total{result=\"sent\"} \(state.messagesSent)",
            "tour_server_sms_total{result=\"failed\"} \(state.messagesFailed)",
            "# TYPE tour_server_live_readings_total counter",
            "tour_server_live_readings_total \(state.readingsForListeners)",
            "# TYPE tour_server_rosters_total counter", "tour_server_rosters_total \(state.rosters)",
            "# TYPE tour_server_rosters_under_way gauge", "tour_server_rosters_under_way \(state.rostersUnderWay)",
            "# TYPE tour_server_transactions_total counter",
            "tour_server_transactions_total \(writes.transactions)",
            "# TYPE tour_server_commits_total counter", "tour_server_commits_total \(writes.commits)",
            "# TYPE tour_server_transactions_waiting gauge", "tour_server_transactions_waiting \(writes.waiting)",
            "# TYPE tour_server_transaction_retries_total counter",
            "tour_server_transaction_retries_total \(writes.retries)",
            "# TYPE tour_server_mail_total counter", "tour_server_mail_total{result=\"sent\"} \(state.mailsSent)",
            "tour_server_mail_total{result=\"failed\"} \(state.mailsFailed)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func order(_ key: Key) -> String { "\(key.route) \(key.method) \(key.status)" }
}
