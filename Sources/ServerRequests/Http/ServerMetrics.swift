import Synchronization

/// Counters of this process since its start. They contain nobody's data.
package final class ServerMetrics: Sendable {
    private struct Endpoint: Hashable {
        var method: String
        var route: String
    }

    private struct Counts {
        var statuses: [Int: Int] = [:]
        var durations = Histogram()
    }

    private struct State {
        var requests: [Endpoint: Counts] = [:]
        var refusals: [String: Int] = [:]
        var messagesSent = 0
        var messagesFailed = 0
        var readingsForListeners = 0
        var rosters = 0
        var rostersUnderWay = 0
        var mails: [MailResult: Int] = [:]
        var underWay = 0
        var connections = 0
    }

    private let state = Mutex(State())
    private let received = Atomic(0)
    private let sent = Atomic(0)

    package init() {}

    func begin() { state.withLock { $0.underWay += 1 } }

    /// - Parameter route: the contract's path, or `-` where no route matched: no client can create a counter.
    func end(method: String, route: String, status: Int, seconds: Double) {
        state.withLock { state in
            state.underWay -= 1
            let endpoint = Endpoint(method: method, route: route)
            state.requests[endpoint, default: Counts()].statuses[status, default: 0] += 1
            state.requests[endpoint]?.durations.add(seconds)
        }
    }

    /// Counts what was refused.
    /// - Parameter limit: the limit's name in this program: no client can create a counter.
    package func countRefusal(by limit: String) { state.withLock { $0.refusals[limit, default: 0] += 1 } }

    func countMessage(isSent: Bool) {
        state.withLock { state in
            if isSent { state.messagesSent += 1 } else { state.messagesFailed += 1 }
        }
    }

    /// Counts a read of a tour's changes for its listeners.
    package func countReading() { state.withLock { $0.readingsForListeners += 1 } }

    /// Counts a roster that was computed from the genesis on.
    package func countRoster() { state.withLock { $0.rosters += 1 } }

    /// The outcome of a try to send a mail.
    enum MailResult: String, CaseIterable {
        case sent
        case failed
        /// No further try follows.
        case givenUp = "given-up"
    }

    func countMail(_ result: MailResult) { state.withLock { $0.mails[result, default: 0] += 1 } }

    /// Counts the rosters that are being computed: +1 at the beginning, -1 at the end.
    package func countRosters(underWay change: Int) { state.withLock { $0.rostersUnderWay += change } }

    /// Counts the open connections: +1 at the beginning, -1 at the end.
    func countConnections(_ change: Int) { state.withLock { $0.connections += change } }

    /// The open connections.
    package var openConnections: Int { state.withLock(\.connections) }

    func countReceived(_ bytes: Int) { received.add(bytes, ordering: .relaxed) }
    func countSent(_ bytes: Int) { sent.add(bytes, ordering: .relaxed) }

    /// Adds all of these counters.
    package func write(to text: inout MetricsText) {
        typealias Sample = MetricsText.Sample
        let state = state.withLock { $0 }
        let requests = state.requests.sorted { ($0.key.route, $0.key.method) < ($1.key.route, $1.key.method) }
        text.add(
            .requests,
            requests.flatMap { endpoint, counts in
                counts.statuses.sorted { $0.key < $1.key }.map { status, count in
                    Sample(count, ["method": endpoint.method, "route": endpoint.route, "status": "\(status)"])
                }
            })
        text.add(
            .requestSeconds,
            requests.map { ([("method", $0.key.method), ("route", $0.key.route)], $0.value.durations) })
        text.add(.requestsUnderWay, state.underWay)
        text.add(.refusals, state.refusals.sorted { $0.key < $1.key }.map { Sample($0.value, ["limit": $0.key]) })
        text.add(.connections, state.connections)
        text.add(.receivedBytes, received.load(ordering: .relaxed))
        text.add(.sentBytes, sent.load(ordering: .relaxed))
        text.add(
            .messages,
            [Sample(state.messagesSent, ["result": "sent"]), Sample(state.messagesFailed, ["result": "failed"])])
        text.add(.mails, MailResult.allCases.map { Sample(state.mails[$0] ?? 0, ["result": $0.rawValue]) })
        text.add(.readings, state.readingsForListeners)
        text.add(.rosters, state.rosters)
        text.add(.rostersUnderWay, state.rostersUnderWay)
    }
}
