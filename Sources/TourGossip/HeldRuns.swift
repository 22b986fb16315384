import TourModel
import TourWire

/// Runs that arrived before the events they continue, by author and in order.
struct HeldRuns: Sendable {
    /// The most runs kept that arrived before the events they continue, of one author and in all.
    private static let ofAuthorMax = 16
    static let countMax = 256
    /// The most bytes of all these runs together: a run from a connection is longer than a datagram.
    private static let bytesMax = Self.countMax * Limits.datagramBytesMax
    /// How long a run that arrived by datagram before its predecessor waits for it.
    static let patience: Duration = .milliseconds(400)

    private var runs: [MemberID: [Held]] = [:]

    /// A run that waits for the events it continues.
    struct Held: Sendable {
        let run: Run
        let origin: Origin
    }

    var count: Int { runs.values.reduce(0) { $0 + $1.count } }

    mutating func hold(_ run: Run, from origin: Origin) {
        let ofAuthor = runs[run.author] ?? []
        guard ofAuthor.count < Self.ofAuthorMax, count < Self.countMax,
            runs.values.joined().reduce(run.byteCount, { $0 + $1.run.byteCount }) <= Self.bytesMax,
            !ofAuthor.contains(where: { $0.run.first == run.first })
        else { return }
        runs[run.author] = (ofAuthor + [Held(run: run, origin: origin)]).sorted { $0.run.first < $1.run.first }
    }

    /// Where the first held run of an author begins.
    func first(of author: MemberID) -> UInt64? { runs[author]?.first?.run.first }

    /// Removes the first run of an author if it continues the log now, whose next sequence is `expected`.
    mutating func dequeue(_ author: MemberID, expected: UInt64) -> Held? {
        guard let first = runs[author]?.first, first.run.first <= expected else { return nil }
        runs[author]?.removeFirst()
        if runs[author]?.isEmpty == true { runs[author] = nil }
        return first
    }

    mutating func removeAll(of author: MemberID) { runs[author] = nil }
}
