import TourCrypto
import TourModel
import TourWire

/// What this node has of each author's log: accepted, being verified, stored; and where each log ends.
struct Logs: Sendable {
    /// The share of each author's log. Source: `Protocol/05-events.md`, "Share".
    let share: LogShare
    /// The last sequence that counts, of each log that ends.
    private(set) var ends: [MemberID: UInt64]
    /// The stored frontier: what this node claims to have.
    private(set) var stored: Frontier
    /// The same, with the events at the heads.
    private(set) var storedHeads: [MemberID: KnownHead]
    /// Heads accepted since, in order: each may be the stored one next.
    private var unstored: [MemberID: [KnownHead]] = [:]
    /// The last accepted sequence of each log whose author wrote beyond its share.
    private var shareEnds: [MemberID: UInt64] = [:]
    /// Verified and passed to the store, perhaps not stored yet.
    private var accepted: [MemberID: Head] = [:]
    /// The last sequence being verified of each author; a second copy that arrives meanwhile is dropped unread.
    private var verifying: [MemberID: UInt64] = [:]
    /// Authors whose logs seem to fork, and when this node asked for the other branch.
    private var suspects: [MemberID: Instant] = [:]

    struct Head: Hashable, Sendable {
        var sequence: UInt64
        var id: EventID
        /// The previous event's id; nil when this node has not seen it since its start.
        var previous: EventID?
        /// The event's signature; nil when this node has not seen it since its start. A sound event with the same
        /// signature is the same event.
        var signature: [UInt8]?
        /// The size of the log up to here.
        var size: LogSize
        /// The segments on which the event went out: members that hear them have it as well, if nothing was lost.
        var aired: [SegmentID] = []

        init(sequence: UInt64, id: EventID, previous: EventID? = nil, size: LogSize) {
            self.sequence = sequence
            self.id = id
            self.previous = previous
            self.size = size
        }

        init(_ event: Event, size: LogSize) {
            self.init(sequence: event.header.sequence, id: event.id, previous: event.header.previous, size: size)
            signature = Array(event.signature)
        }
    }

    init(
        heads: [MemberID: (sequence: UInt64, id: EventID)], sizes: [MemberID: LogSize], ends: [MemberID: UInt64],
        share: LogShare
    ) {
        self.share = share
        self.ends = ends
        stored = Frontier(heads.mapValues { $0.sequence })
        storedHeads = [:]
        for (author, head) in heads {
            accepted[author] = Head(sequence: head.sequence, id: head.id, size: sizes[author] ?? .zero)
            storedHeads[author] = KnownHead(prefix: author.prefix, sequence: head.sequence, id: head.id)
        }
    }

    // MARK: - Ends

    /// The last sequence of this author's log that counts and is within its share.
    func end(of author: MemberID) -> UInt64 { min(ends[author] ?? .max, shareEnds[author] ?? .max) }

    /// - Returns: the authors whose logs continue after all.
    mutating func set(ends new: [MemberID: UInt64]) -> [MemberID] {
        let resumed = ends.keys.filter { end(of: $0) < new[$0] ?? .max }
        ends = new
        for author in new.keys { suspects[author] = nil }
        return resumed
    }

    /// The author wrote beyond its share: its log ends here for everybody.
    mutating func endShare(of author: MemberID, at last: UInt64) {
        shareEnds[author] = min(shareEnds[author] ?? .max, last)
    }

    /// Which logs went beyond their share does not follow from the store.
    mutating func keepShareEnds(of old: Logs) { shareEnds = old.shareEnds }

    // MARK: - Heads

    /// The last event accepted of an author.
    func head(of author: MemberID) -> Head? { accepted[author] }

    /// The size of an author's accepted log, events on their way to the store included.
    func size(of author: MemberID) -> LogSize { accepted[author]?.size ?? .zero }

    /// Whether the author's share is used up, so that its log accepts no more chat.
    func isFull(_ author: MemberID) -> Bool { !share.hasRoom(for: .chat, after: size(of: author)) }

    /// The next sequence of this author that is news.
    func expected(_ author: MemberID) -> UInt64 { max(accepted[author]?.sequence ?? 0, verifying[author] ?? 0) + 1 }

    /// Whether this node lacks part of an author's log that reaches `sequence`.
    func lacks(_ author: MemberID, through sequence: UInt64) -> Bool {
        min(sequence, end(of: author)) >= expected(author)
    }

    /// Whether all that was accepted of an author is stored.
    func isStored(_ author: MemberID) -> Bool { stored[author] >= (accepted[author]?.sequence ?? 0) }

    /// The event at a place, if that is a head; `Timeline` knows other places.
    func id(of author: MemberID, at sequence: UInt64) -> EventID? {
        if let head = accepted[author] {
            if head.sequence == sequence { return head.id }
            if head.sequence == sequence + 1, let previous = head.previous { return previous }
        }
        if let head = storedHeads[author], head.sequence == sequence { return head.id }
        return unstored[author]?.last { $0.sequence == sequence }?.id
    }

    mutating func accept(_ head: Head, of author: MemberID) {
        accepted[author] = head
        unstored[author, default: []].append(
            KnownHead(prefix: author.prefix, sequence: head.sequence, id: head.id))
    }

    mutating func raiseStored(_ author: MemberID, to sequence: UInt64) {
        stored.raise(author, to: sequence)
        guard let waiting = unstored[author] else { return }
        if let head = waiting.last(where: { $0.sequence <= sequence }) { storedHeads[author] = head }
        let rest = waiting.filter { $0.sequence > sequence }
        unstored[author] = rest.isEmpty ? nil : rest
    }

    /// A copy of the newest event was verified: further ones with this signature are known without that.
    mutating func record(signature: [UInt8], of author: MemberID) { accepted[author]?.signature = signature }

    /// Records the segments on which the newest of these events went out.
    mutating func recordMulticast(of events: [Event], on ids: [SegmentID]) {
        guard !ids.isEmpty, let header = events.last?.header, accepted[header.author]?.sequence == header.sequence
        else { return }
        accepted[header.author]?.aired = ids
    }

    /// The whole stored frontier, in as many messages as it needs; one empty message if nothing is stored.
    var wholeFrontier: [[KnownHead]] {
        let heads = storedHeads.sorted { $0.key < $1.key }.map(\.value)
        return stride(from: 0, to: max(heads.count, 1), by: Limits.headsPerMessageMax).map {
            Array(heads[$0..<min($0 + Limits.headsPerMessageMax, heads.count)])
        }
    }

    // MARK: - Runs being verified

    /// The authors of the runs being verified.
    var verifyingCount: Int { verifying.count }

    mutating func beginVerifying(_ run: Run) { verifying[run.author] = run.last }

    mutating func endVerifying(_ run: VerifiedRun) {
        if verifying[run.author] ?? 0 <= run.last { verifying[run.author] = nil }
    }

    /// The last event of a run went ahead: it was verified before its predecessor, which is still being verified.
    mutating func endVerifying(ahead run: VerifiedRun) {
        if verifying[run.author] == run.last { verifying[run.author] = run.first - 1 }
    }

    /// A run of this author was refused: none that is being verified counts.
    mutating func endVerifying(of author: MemberID) { verifying[author] = nil }

    // MARK: - Forks

    /// Whether a run that ends at the place of our newest event may end with another one. Its signature tells the two
    /// apart: no two sound events of an author have the same.
    func mayContradict(_ run: Run) -> Bool {
        guard let head = accepted[run.author], head.sequence == run.last, let last = run.events.last else {
            return false
        }
        return head.signature.map { !last.signature.elementsEqual($0) } ?? true
    }

    /// Whether this node has asked for the other branch of a log.
    func isSuspect(_ author: MemberID) -> Bool { suspects[author] != nil }

    /// Whether this node asked for the other branch only a moment ago.
    func wasBranchAsked(of author: MemberID, _ now: Instant) -> Bool {
        suspects[author].map { now - $0 < GossipLink.forkPause } ?? false
    }

    mutating func recordBranchAsked(of author: MemberID, _ now: Instant) { suspects[author] = now }
}
