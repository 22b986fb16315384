import ServerBase
import ServerStorage
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// One push into one tour: checks it entry by entry and stores it, inside one transaction.
/// Source: `Protocol/09-mailbox.md`, "POST /messages/sync".
struct Delivery {
    enum Verdict: Sendable {
        case stored
        case duplicate
        case refused(PushFault)
    }

    let tour: StoredTour
    let sql: any SQL
    let now: Int64
    private(set) var known: KnownGroup
    private var logs: LogEnds
    private var bytes = 0
    private var newControls: Set<EventID> = []

    init(tour: StoredTour, known: KnownGroup, sql: any SQL, now: Int64) {
        self.tour = tour
        self.known = known
        self.sql = sql
        self.now = now
        logs = LogEnds(tour: tour, sql: sql)
    }

    /// - Parameter check: the signatures, checked against the roster before this push.
    /// - Parameter grown: the tour with all control events of this push; nil where it has none.
    /// - Returns: a verdict for each event, in the same order.
    mutating func accept(
        _ events: [Result<PushedEvent, PushFault>], _ check: SignatureCheck, _ grown: GrownGroup?
    ) throws(Failure) -> [Verdict] {
        if let grown, hasRoom { (known, newControls) = try ControlRows(sql: sql).store(grown, of: tour, now: now) }
        var verdicts = [Verdict]()
        verdicts.reserveCapacity(events.count)
        for (index, event) in events.enumerated() {
            switch event {
            case .failure(let fault): verdicts.append(.refused(fault))
            case .success(let event):
                verdicts.append(try place(event, isProven: check.proven.contains(index), check.refused.contains(index)))
            }
        }
        try logs.store()
        if bytes > 0 { try TourRows(sql: sql).record(bytes: bytes, in: tour, now: now) }
        return verdicts
    }

    /// The stored heads of these authors, up to the ends of their logs.
    mutating func heads(of authors: Set<MemberID>) throws(Failure) -> [String: UInt64] {
        var heads: [String: UInt64] = [:]
        for author in authors {
            let end = known.group.roster.members[author]?.end?.sequence ?? .max
            let head = min(try logs.end(of: author).sequence, end)
            if head > 0 { heads[author.hex] = head }
        }
        return heads
    }

    private mutating func place(_ event: PushedEvent, isProven: Bool, _ isRefused: Bool) throws(Failure) -> Verdict {
        if isRefused { return .refused(.badSignature) }
        let verdict = try placeInLog(event, isProven: isProven)
        guard case .refused(let fault) = verdict, event.header.eventClass == .control else { return verdict }
        // A control event counts for the roster before its author's log reaches it.
        if newControls.contains(event.id) { return .stored }
        if try ControlRows(sql: sql).holds(event.id, of: tour) { return .duplicate }
        return .refused(fault)
    }

    private mutating func placeInLog(_ event: PushedEvent, isProven: Bool) throws(Failure) -> Verdict {
        let header = event.header
        guard let author = known.group.roster.members[header.author] else { return .refused(.unknownAuthor) }
        guard isProven || SignatureCheck.isSigned(event, author.identity) else { return .refused(.badSignature) }
        if header.eventClass == .control, header.tour == tour.id, (try? ControlBody(decoding: event.event.body)) == nil
        {
            return .refused(.badControlEvent)
        }
        guard author.reaches(header.sequence, event.id) else { return .refused(.beyondCut) }
        let end = try logs.end(of: header.author)
        if header.sequence <= end.sequence {
            return try logs.id(of: header.author, at: header.sequence) == event.id
                ? .duplicate : .refused(.forkedLog)
        }
        guard header.sequence - 1 == end.sequence else { return .refused(.missingPrevious) }
        guard header.previous == end.last else { return .refused(.forkedLog) }
        guard hasRoom else { return .refused(.quota) }
        try logs.append(event, now: now)
        bytes += event.bytes.count
        return .stored
    }

    private var hasRoom: Bool { tour.bytes + Int64(bytes) < ServerLimits.tourBytesMax }
}
