import TourModel

/// The open admissions, in the order of rounds that repeatedly go through all of them: each waits only for its author,
/// so that none is examined in vain. Source: `Protocol/05-events.md`, "Roster", rule 5.
///
/// A member can write admissions that depend on one another backwards: a pass over all of them for each would cost the
/// square of their number.
struct AdmissionRounds {
    private let admissions: [Admission]
    /// For each author that is not yet a member, the places of its admissions, ascending.
    private var waiting: [MemberID: [Int]] = [:]
    private var due = TurnQueue()
    /// The turn returned last.
    private var turn = Turn(round: 0, place: -1)

    /// - Parameter members: the members that need none of these admissions.
    init(_ admissions: [Admission], members: some Sequence<MemberID>) {
        self.admissions = admissions
        for (place, admission) in admissions.enumerated() {
            waiting[admission.record.author, default: []].append(place)
        }
        for member in members { open(member) }
    }

    /// The next admission whose author is a member; each is returned once.
    mutating func next() -> Admission? {
        guard let next = due.removeFirst() else { return nil }
        turn = next
        return admissions[next.place]
    }

    /// Makes a member's admissions due from this turn on: those before the turn's place are due in the next round.
    mutating func open(_ member: MemberID) {
        for place in waiting.removeValue(forKey: member) ?? [] {
            due.insert(Turn(round: place > turn.place ? turn.round : turn.round + 1, place: place))
        }
    }
}

/// A place among the admissions, in a round.
private struct Turn: Comparable {
    let round: Int
    let place: Int

    static func < (left: Turn, right: Turn) -> Bool { (left.round, left.place) < (right.round, right.place) }
}

/// Turns, the earliest first: a binary heap.
private struct TurnQueue {
    private var turns: [Turn] = []

    mutating func insert(_ turn: Turn) {
        turns.append(turn)
        var child = turns.count - 1
        while child > 0, turns[child] < turns[(child - 1) / 2] {
            turns.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeFirst() -> Turn? {
        guard let first = turns.first, let last = turns.popLast() else { return nil }
        guard !turns.isEmpty else { return first }
        turns[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < turns.count && turns[child] < turns[least] {
                least = child
            }
            guard least != parent else { return first }
            turns.swapAt(least, parent)
            parent = least
        }
    }
}
