import TourModel
import TourWire

/// Runs that arrived before the events they continue, by author and in order.
struct HeldRuns: Sendable {
    private var runs: [MemberID: [Held]] = [:]

    /// A run that waits for the events it continues.
    struct Held: Sendable {
        let run: Run
        let origin: Origin
    }

    var count: Int { runs.values.reduce(0) { $0 + $1.count } }

    mutating func hold(_ run: Run, from origin: Origin) {
        let ofAuthor = runs[run.author] ?? []
        guard ofAuthor.count < Limits.heldRunsOfAuthorMax, count < Limits.heldRunsMax,
            runs.values.joined().reduce(run.byteCount, { $0 + $1.run.byteCount }) <= Limits.heldBytesMax,
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
