import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourWire

/// Which events of a tour a server holds, by its own answers and by the rows of members who asked it. Source:
/// `Protocol/09-mailbox.md`, "Synced".
final class ServerHeads {
    private let tour: TourID
    /// How far the server is known to have each log: by anybody's word, and by its own.
    private(set) var known: [MemberID: UInt64] = [:]
    private(set) var confirmed: [MemberID: UInt64] = [:]
    /// The newest row of each member about the server, and when it arrived.
    private var rows: [MemberID: (row: ClaimRow, counter: UInt64, at: Instant)] = [:]
    /// The heads at the server that our rows and others' have announced.
    private var announced: [MemberID: UInt64] = [:]
    private var rowAt: Instant?
    /// Where the next row continues, if one row cannot name all authors.
    private var rowTurn = 0
    /// Links that we have sent the rows on.
    private var introduced: Set<LinkID> = []

    // Source: `Protocol/09-mailbox.md`, "Synced".
    private static let rowInterval: Duration = .seconds(30)
    private static let rowPause: Duration = .seconds(5)
    /// By then both sides know each other, or the link is gone.
    private static let introductionDelay: Duration = .seconds(6)
    private static let rowHeadsMax = 64
    /// About the year 2112, in microseconds: larger counters are no times.
    private static let counterEnd: UInt64 = 1 << 52

    init(tour: TourID) { self.tour = tour }

    func restore(known: [MemberID: UInt64], confirmed: [MemberID: UInt64]) {
        self.known = known
        self.confirmed = confirmed
        announced = known
    }

    // MARK: Heads

    /// - Parameters:
    ///   - time: the server's, milliseconds since 1970.
    ///   - member: who says so; nil: the server itself.
    func record(
        _ heads: [MemberID: UInt64], at time: Int64, by member: MemberID?, _ facts: SyncFacts, _ host: some MailboxHost
    ) {
        let held = member == nil ? confirmed : known
        let news = heads.filter { author, head in
            facts.roster.members[author] != nil && head > held[author] ?? 0
        }
        guard !news.isEmpty else { return }
        let before = known
        for (author, head) in news {
            known[author] = max(known[author] ?? 0, head)
            if member == nil { confirmed[author] = head }
        }
        host.store(news, after: before, at: time, by: member, of: tour)
    }

    /// Shows the change to followers, as far as the messages can be read.
    func stored(_ heads: [MemberID: UInt64], after before: [MemberID: UInt64], _ host: some MailboxHost) {
        guard let stored = host.facts(of: tour)?.stored else { return }
        for (author, head) in heads {
            let last = min(head, stored[author])
            let first = (before[author] ?? 0) + 1
            if first <= last { host.notifyOfChange(of: author, first...last, in: tour) }
        }
    }

    // MARK: Our rows

    /// Signs a new row if there is news, and sends new links the known rows.
    /// - Parameter answeredAt: the server's time of its last answer.
    func sendRows(answeredAt: Int64?, now: Instant, _ host: some MailboxHost) {
        guard let facts = host.facts(of: tour), facts.isMember else { return }
        let links = host.links(of: tour)
        if rowAt.map({ now - $0 >= Self.rowInterval }) ?? true, let answeredAt,
            let (row, claim) = nextRow(answeredAt: answeredAt, facts, host)
        {
            rowAt = now
            keep(row, claim, now: now, facts)
            for link in links.keys { host.send([row], on: link, of: tour) }
        }
        introduced.formIntersection(links.keys)
        guard !rows.isEmpty else { return }
        for (link, openedAt) in links
        where !introduced.contains(link) && now - openedAt >= Self.introductionDelay {
            introduced.insert(link)
            let all = rows.sorted { $0.key < $1.key }.map(\.value.row)
            for start in stride(from: 0, to: all.count, by: Limits.syncedRowsMax) {
                host.send(Array(all[start..<min(start + Limits.syncedRowsMax, all.count)]), on: link, of: tour)
            }
        }
    }

    /// - Returns: nil without news.
    private func nextRow(
        answeredAt: Int64, _ facts: SyncFacts, _ host: some MailboxHost
    ) -> (ClaimRow, SyncedClaim)? {
        let news = confirmed.filter { $0.value > announced[$0.key] ?? 0 }.keys.sorted()
        guard !news.isEmpty else { return nil }
        let others = confirmed.keys.filter { !news.contains($0) }.sorted()
        let turn = others.isEmpty ? 0 : rowTurn % others.count
        let named = (news + others[turn...] + others[..<turn]).prefix(Self.rowHeadsMax)
        rowTurn = turn + max(named.count - news.count, 0)
        let last = rows[facts.own]?.counter ?? 0
        let claim = SyncedClaim(
            member: facts.own, counter: max(UInt64(clamping: answeredAt) * 1_000, last + 1),
            heads: named.map { PrefixedHead(prefix: $0.prefix, sequence: confirmed[$0] ?? 0) })
        guard claim.counter < Self.counterEnd else { return nil }
        let bytes = claim.encode()
        guard let signature = host.sign(SyncedRow.digest(bytes, of: facts.own, tour: tour), in: tour) else {
            return nil
        }
        return (ClaimRow(row: bytes, signature: signature, hops: 0), claim)
    }

    private func keep(_ row: ClaimRow, _ claim: SyncedClaim, now: Instant, _ facts: SyncFacts) {
        rows[claim.member] = (row, claim.counter, now)
        for (author, head) in Self.heads(of: claim, facts.membersByPrefix) {
            announced[author] = max(announced[author] ?? 0, head)
        }
    }

    private static func heads(of claim: SyncedClaim, _ members: [UInt64: MemberID]) -> [MemberID: UInt64] {
        let pairs = claim.heads.compactMap { head in
            members[head.prefix].map { ($0, min(head.sequence, Limits.mailboxHeadMax)) }
        }
        return Dictionary(pairs, uniquingKeysWith: max)
    }

    // MARK: Rows of others

    /// Records what members say, and passes it on.
    func receive(_ rows: [ClaimRow], from link: LinkID, _ host: some MailboxHost) {
        guard let facts = host.facts(of: tour) else { return }
        let now = host.now
        let members = facts.membersByPrefix
        for row in rows.prefix(Limits.syncedRowsMax) {
            do throws(RowFault) {
                guard let claim = try accept(row, members, now: now, facts) else { continue }
                var passed = row
                passed.hops += 1
                keep(passed, claim, now: now, facts)
                record(
                    Self.heads(of: claim, members), at: Int64(claim.counter / 1_000), by: claim.member, facts, host)
                guard passed.hops < Limits.hopsMax else { continue }
                for other in host.links(of: tour).keys where other != link { host.send([passed], on: other, of: tour) }
            } catch {
                host.count(error)
            }
        }
    }

    /// - Returns: nil for a row that is not new, or comes too soon.
    private func accept(
        _ row: ClaimRow, _ members: [UInt64: MemberID], now: Instant, _ facts: SyncFacts
    ) throws(RowFault) -> SyncedClaim? {
        let decoded: SyncedClaim?
        do { decoded = try SyncedClaim.decode(row.row) { members[$0] } } catch { throw .malformed }
        guard let claim = decoded, claim.member != facts.own,
            let identity = facts.roster.members[claim.member]?.identity
        else { return nil }
        guard claim.heads.count <= Self.rowHeadsMax, claim.counter < Self.counterEnd else { throw .malformed }
        if let known = rows[claim.member] {
            guard claim.counter > known.counter, now - known.at >= Self.rowPause else { return nil }
        }
        let digest = SyncedRow.digest(row.row, of: claim.member, tour: tour)
        guard identity.verifies(row.signature, of: digest) else { throw .badSignature }
        return claim
    }
}

/// A member's row about the server that does not count. Scope: the record.
private enum RowFault: String, Fault {
    case malformed = "record-malformed"
    case badSignature = "bad-signature"

    var code: String { rawValue }
    var scope: FaultScope { .record }
}
