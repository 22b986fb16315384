import TourModel

/// When each place of the `CandidateTable` is resolved. Every node on the network receives each question and its
/// answer, so few are open at a time, fewer still while no address is wanted; none stays open after its answer, and a
/// service is resolved over one address family: the other has the same data.
package struct ResolverSchedule: Sendable {
    /// How long a resolver's answer is valid before the service is resolved again: while an address is wanted it
    /// doubles from this.
    private static let restMin: Duration = .seconds(8)
    /// The longest such time.
    private static let restMax: Duration = .seconds(300)
    /// The most resolvers that wait for an answer at a time.
    private static let atOnceMax = 8
    /// The time after which a resolver no longer counts as waiting.
    private static let answerTime: Duration = .seconds(1)
    /// The time between two resolutions while no address is wanted: all nodes together then ask a few times a second.
    private static let quietPause: Duration = .seconds(5)
    /// Added to it for each service.
    private static let quietPausePerService: Duration = .milliseconds(100)
    /// How long a service found over IPv6 waits to be found over IPv4 too.
    private static let twinTime: Duration = .milliseconds(500)
    /// How long it waits for an answer over IPv4.
    private static let twinAnswerTime: Duration = .seconds(3)

    private enum State: Equatable {
        case waiting
        case asking
        /// The resolver is closed until the answer is out of date.
        case answered
    }

    private struct Entry {
        var state = State.waiting
        var since: Instant
        /// The number of answers since an address was wanted.
        var answers = 0
    }

    private var entries: [ServiceKey: Entry] = [:]
    /// Services that could not be reached at the found address.
    private var unreachable: Set<String> = []
    private var quietDue = Instant(microseconds: 0)
    /// Whether addresses of others are wanted.
    package private(set) var isSeeking = true

    package init() {}

    /// The number of places, resolved or waiting.
    package var count: Int { entries.count }

    /// Adds a place.
    package mutating func add(_ key: ServiceKey, now: Instant) {
        if entries[key] == nil { entries[key] = Entry(since: now) }
    }

    /// Removes a place.
    package mutating func remove(_ key: ServiceKey) {
        entries[key] = nil
        if entries[key.twin] == nil { unreachable.remove(key.instance) }
    }

    /// Records an answer; the resolver is closed.
    package mutating func answered(_ key: ServiceKey, now: Instant) { change(key, to: .answered, now) }

    /// Records that the resolver could not be opened.
    package mutating func refused(_ key: ServiceKey, now: Instant) { change(key, to: .waiting, now) }

    private mutating func change(_ key: ServiceKey, to state: State, _ now: Instant) {
        guard var entry = entries[key] else { return }
        entry.state = state
        entry.since = now
        if state == .answered { entry.answers = min(entry.answers + 1, 16) }
        entries[key] = entry
    }

    /// Records that nobody answered at the found address: the other address family may work.
    package mutating func failed(instance: String) {
        if entries.keys.contains(where: { $0.instance == instance }) { unreachable.insert(instance) }
    }

    /// Sets whether addresses of others are wanted.
    package mutating func seek(_ isSeeking: Bool) {
        if isSeeking, !self.isSeeking { renew() }
        self.isSeeking = isSeeking
    }

    /// Resolves services again sooner because our own tags changed: those of others may have changed too.
    package mutating func renew() {
        for key in entries.keys { entries[key]?.answers = 0 }
    }

    /// Whether `due` should be called often.
    package var isBusy: Bool {
        isSeeking && entries.contains { key, entry in entry.state == .waiting && !isSaidByTwin(key) }
    }

    /// The places for which to open a resolver now.
    /// - Parameter isCrowded: places rotate, so each is resolved at once.
    package mutating func due(
        isCrowded: Bool, now: Instant, using rng: inout some RandomNumberGenerator
    ) -> [ServiceKey] {
        for (key, entry) in entries where entry.state == .answered && now - entry.since >= rest(entry) {
            change(key, to: .waiting, now)
        }
        let waiting = entries.filter { $0.value.state == .waiting && mayOpen($0.key, $0.value, isCrowded, now) }
        guard !waiting.isEmpty else { return [] }
        let room = isCrowded ? waiting.count : room(now, &rng)
        guard room > 0 else { return [] }
        // Services never resolved before go first.
        let order = waiting.keys.sorted().shuffled(using: &rng)
        let fresh = order.filter { waiting[$0]?.answers == 0 }
        let due = (fresh + order.filter { waiting[$0]?.answers != 0 }).prefix(room)
        for key in due { change(key, to: .asking, now) }
        return Array(due)
    }

    private mutating func room(_ now: Instant, _ rng: inout some RandomNumberGenerator) -> Int {
        guard !isSeeking else {
            let asking = entries.values.count {
                $0.state == .asking && now - $0.since < Self.answerTime
            }
            return max(0, Self.atOnceMax - asking)
        }
        guard quietDue <= now else { return 0 }
        let pause = Self.quietPause + Self.quietPausePerService * entries.count
        let half = pause.microseconds / 2
        quietDue = now + .microseconds(Int64.random(in: half...half * 3, using: &rng))
        return 1
    }

    private func rest(_ entry: Entry) -> Duration {
        guard isSeeking else { return Self.restMax }
        return min(Self.restMin * (1 << max(entry.answers - 1, 0)), Self.restMax)
    }

    private func isSaidByTwin(_ key: ServiceKey) -> Bool {
        key.isIPv6 && entries[key.twin]?.state == .answered && !unreachable.contains(key.instance)
    }

    private func mayOpen(_ key: ServiceKey, _ entry: Entry, _ isCrowded: Bool, _ now: Instant) -> Bool {
        guard key.isIPv6, !unreachable.contains(key.instance) else { return true }
        guard let twin = entries[key.twin] else { return isCrowded || now - entry.since >= Self.twinTime }
        return twin.state == .asking && now - twin.since >= Self.twinAnswerTime
    }
}

extension ServiceKey: Comparable {
    /// The same service over the other address family.
    var twin: ServiceKey { ServiceKey(instance: instance, interface: interface, isIPv6: !isIPv6) }

    package static func < (left: ServiceKey, right: ServiceKey) -> Bool {
        if left.isIPv6 != right.isIPv6 { return !left.isIPv6 }
        return (left.instance, left.interface) < (right.instance, right.interface)
    }
}
