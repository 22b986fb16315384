import TourModel

/// Events of guests on their way to the disk, and the phones that wait for them there.
struct SeatDeliveries {
    private struct Wait {
        var member: MemberID
        var sequence: UInt64
        var until: Instant
        var answer: CheckedContinuation<Bool, Never>
    }

    private var waits: [Wait] = []
    /// Of each guest the last event that was handed to the replication and is not on the disk yet: until it is, no
    /// other one may get its place.
    private var last: [MemberID: Event] = [:]

    /// Whether an event of a guest is on its way.
    func has(_ member: MemberID) -> Bool { last[member] != nil }

    /// An event sets out; the same one may do so again.
    /// - Returns: false while another one of this guest is on its way.
    mutating func begin(_ event: Event) -> Bool {
        let author = event.header.author
        guard last[author].map({ $0.id == event.id }) ?? true else { return false }
        last[author] = event
        return true
    }

    /// Somebody waits for a place of a log to be on the disk.
    mutating func wait(
        for sequence: UInt64, of member: MemberID, until: Instant, _ answer: CheckedContinuation<Bool, Never>
    ) { waits.append(Wait(member: member, sequence: sequence, until: until, answer: answer)) }

    /// Events are on the disk.
    mutating func stored(_ events: [Event]) {
        guard !waits.isEmpty || !last.isEmpty else { return }
        var ends = [MemberID: UInt64]()
        for event in events { ends[event.header.author] = event.header.sequence }
        last = last.filter { ends[$0.key] ?? 0 < $0.value.header.sequence }
        waits.removeAll { wait in
            guard let end = ends[wait.member], end >= wait.sequence else { return false }
            wait.answer.resume(returning: true)
            return true
        }
    }

    /// Whoever has waited for too long is told so.
    mutating func endOverdue(_ now: Instant) {
        waits.removeAll { wait in
            guard wait.until <= now else { return false }
            wait.answer.resume(returning: false)
            return true
        }
    }

    /// Nobody waits on, and what is on its way is forgotten.
    mutating func end() {
        for wait in waits { wait.answer.resume(returning: false) }
        waits = []
        last = [:]
    }
}
