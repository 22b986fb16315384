import TourCrypto
import TourGroup
import TourModel

/// A guest's phone: keeps what the guests' page keeps, and decides what counts in the guest's log.
struct SimulatedPhone {
    let secret: SecretBytes
    let name: String
    /// The host whose code it scanned.
    let home: Int
    /// Who it is; nil: it has not entered yet.
    private(set) var member: MemberID?
    /// Where its log ends, by its own word.
    private(set) var head = Author.Tail(sequence: 0, id: .none)
    /// What nobody may have but its hosts.
    private(set) var tail: [Event] = []
    /// What it has confirmed, and nobody has answered.
    private(set) var pending: Event?
    /// What counts in its log, by place.
    private(set) var confirmed: [UInt64: EventID] = [:]
    /// What it was shown of the tour.
    private(set) var has = Frontier()
    /// The host with which it is; nil: with none.
    var host: Int?
    /// The request that it waits for.
    var awaited: Int?
    /// How many messages it has still to write.
    var unwritten: Int
    /// Answers that no host may give.
    private(set) var faults: [String] = []

    init(secret: SecretBytes, name: String, home: Int, messages: Int) {
        (self.secret, self.name, self.home, unwritten) = (secret, name, home, messages)
    }

    /// Whether nothing of it is under way.
    var isSettled: Bool { member != nil && host != nil && awaited == nil && pending == nil }

    /// What it brings to a host.
    var brought: (head: Author.Tail, tail: [Event]) {
        guard let pending else { return (head, tail) }
        return (Author.Tail(sequence: pending.header.sequence, id: pending.id), tail + [pending])
    }

    /// It is in.
    mutating func enter(as member: MemberID, _ head: Author.Tail, _ tail: [Event]) {
        (self.member, self.head, self.tail) = (member, head, tail)
        for event in tail { confirmed[event.header.sequence] = event.id }
    }

    /// A host has all that it brought.
    mutating func arrive(_ head: Author.Tail) {
        settle()
        if head != self.head { fail("a host has the log up to \(head.sequence) instead of \(self.head.sequence)") }
    }

    /// Keeps what a host prepared: from now on it counts, unless a host says that it never will.
    /// - Returns: false for what does not continue the log.
    mutating func keep(_ event: Event) -> Bool {
        guard pending == nil, event.header.sequence == head.sequence + 1, event.header.previous == head.id else {
            fail("what was prepared for place \(event.header.sequence) does not continue the log")
            return false
        }
        pending = event
        return true
    }

    /// What is pending is in the log.
    mutating func settle() {
        guard let event = pending else { return }
        pending = nil
        tail.append(event)
        head = Author.Tail(sequence: event.header.sequence, id: event.id)
        confirmed[head.sequence] = head.id
    }

    /// What is pending will never be in the log.
    mutating func forgetPending() { pending = nil }

    /// Somebody else has its log up to this place.
    mutating func dropTail(through sequence: UInt64) { tail.removeAll { $0.header.sequence <= sequence } }

    /// It shows all of this.
    mutating func show(_ frontier: Frontier) { has.merge(frontier) }

    mutating func fail(_ problem: String) { faults.append("\(name): \(problem)") }
}
