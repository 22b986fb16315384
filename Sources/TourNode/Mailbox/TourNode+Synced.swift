import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourStore
import TourTransport
import TourWire

// Which events a server holds, by its own answers and by the rows of members who asked it. Source:
// `Protocol/09-mailbox.md`, "Synced".
extension TourNode {
    /// - Parameter at: the server's time, milliseconds since 1970.
    /// - Parameter by: the member who says so; nil: the server itself.
    func recordSynced(_ heads: [MemberID: UInt64], at: Int64, by: MemberID?, _ session: TourSession) {
        let members = session.group.roster.members
        let news = heads.filter { author, head in
            guard members[author] != nil else { return false }
            return head > (by == nil ? session.sync.told[author] : session.sync.known[author]) ?? 0
        }
        guard !news.isEmpty else { return }
        let before = session.sync.known
        for (author, head) in news {
            session.sync.known[author] = max(session.sync.known[author] ?? 0, head)
            if by == nil { session.sync.told[author] = head }
        }
        let tour = session.tour
        reader.submit { [self] in
            let written = Result { () throws(StoreError) in try store.recordSynced(tour, heads: news, at: at, by: by) }
            return { [self] in
                assumeIsolated { node in
                    if case .failure(let error) = written { node.count(error) }
                    node.showSynced(news, before, tour)
                }
            }
        }
    }

    /// Shows the change to followers, as far as the messages can be read.
    private func showSynced(_ news: [MemberID: UInt64], _ before: [MemberID: UInt64], _ tour: TourID) {
        guard let session = sessions[tour] else { return }
        for (author, head) in news {
            let last = min(head, session.gossip.stored[author])
            let first = (before[author] ?? 0) + 1
            if first <= last { notifyOfChange(author, first...last, session) }
        }
    }

    /// Once a second, and after a sync: signs a new row if there is news, and sends new links the known rows.
    func sendSynced(now: Instant) {
        for session in sessions.values where session.isMember {
            if session.sync.rowAt.map({ now - $0 >= Self.rowInterval }) ?? true { makeRow(session, now: now) }
            let open = Set(session.connections.keys)
            session.sync.introduced.formIntersection(open)
            guard !session.sync.rows.isEmpty else { continue }
            for (link, connection) in session.connections
            where !session.sync.introduced.contains(link) && now - connection.openedAt >= Self.introductionDelay {
                session.sync.introduced.insert(link)
                send(session.sync.rows.sorted { $0.key < $1.key }.map(\.value.row), on: connection)
            }
        }
    }

    // Source: `Protocol/09-mailbox.md`, "Synced".
    private static let rowInterval: Duration = .seconds(30)
    private static let rowPause: Duration = .seconds(5)
    /// By then both sides know each other, or the link is gone.
    private static let introductionDelay: Duration = .seconds(6)
    private static let rowHeadsMax = 64
    /// About the year 2112, in microseconds: larger counters are no times.
    private static let counterEnd: UInt64 = 1 << 52

    private func makeRow(_ session: TourSession, now: Instant) {
        guard let answeredAt = session.sync.answeredAt else { return }
        let told = session.sync.told
        let news = told.filter { $0.value > session.sync.spread[$0.key] ?? 0 }.keys.sorted()
        guard !news.isEmpty else { return }
        let others = told.keys.filter { !news.contains($0) }.sorted()
        let turn = others.isEmpty ? 0 : session.sync.rowTurn % others.count
        let named = (news + others[turn...] + others[..<turn]).prefix(Self.rowHeadsMax)
        session.sync.rowTurn = turn + max(named.count - news.count, 0)
        let last = session.sync.rows[session.own]?.counter ?? 0
        let claim = FrontierClaim(
            member: session.own, counter: max(UInt64(clamping: answeredAt) * 1_000, last + 1),
            heads: named.map { PrefixedHead(prefix: $0.prefix, sequence: told[$0] ?? 0) })
        guard claim.counter < Self.counterEnd else { return }
        let bytes = claim.encode()
        let signature = session.keys.identity.sign(SyncedRow.digest(bytes, of: session.own, tour: session.tour))
        let row = ClaimRow(row: bytes, signature: signature, hops: 0)
        session.sync.rowAt = now
        keep(row, claim, now: now, session)
        for connection in session.connections.values { send([row], on: connection) }
    }

    private func keep(_ row: ClaimRow, _ claim: FrontierClaim, now: Instant, _ session: TourSession) {
        session.sync.rows[claim.member] = (row, claim.counter, now)
        for (author, head) in named(claim.heads, session) {
            session.sync.spread[author] = max(session.sync.spread[author] ?? 0, head)
        }
    }

    func receive(synced rows: [ClaimRow], from link: LinkID, _ session: TourSession) {
        let now = NodeClock.now
        let members = members(of: session)
        for row in rows.prefix(Limits.syncedRowsMax) {
            do throws(RowFault) {
                guard let claim = try judged(row, members, now: now, session) else { continue }
                var passed = row
                passed.hops += 1
                keep(passed, claim, now: now, session)
                recordSynced(
                    named(claim.heads, session), at: Int64(claim.counter / 1_000), by: claim.member, session)
                guard passed.hops < Limits.hopsMax else { continue }
                for (other, connection) in session.connections where other != link { send([passed], on: connection) }
            } catch {
                count(error)
            }
        }
    }

    /// - Returns: nil for a row that is not new, or comes too soon.
    private func judged(
        _ row: ClaimRow, _ members: [UInt64: MemberID], now: Instant, _ session: TourSession
    ) throws(RowFault) -> FrontierClaim? {
        let decoded: FrontierClaim?
        do { decoded = try FrontierClaim.decode(row.row) { members[$0] } } catch { throw .malformed }
        guard let claim = decoded, claim.member != session.own,
            let identity = session.group.roster.members[claim.member]?.identity
        else { return nil }
        guard claim.heads.count <= Self.rowHeadsMax, claim.counter < Self.counterEnd else { throw .malformed }
        if let known = session.sync.rows[claim.member] {
            guard claim.counter > known.counter, now - known.at >= Self.rowPause else { return nil }
        }
        let digest = SyncedRow.digest(row.row, of: claim.member, tour: session.tour)
        guard identity.verifies(row.signature, of: digest) else { throw .badSignature }
        return claim
    }

    /// The members by the first eight bytes of their ids; two members who share these bytes are left out.
    private func members(of session: TourSession) -> [UInt64: MemberID] {
        let pairs = session.group.roster.members.keys.map { ($0.prefix, Optional($0)) }
        return Dictionary(pairs) { _, _ in nil }.compactMapValues { $0 }
    }

    private func named(_ heads: [PrefixedHead], _ session: TourSession) -> [MemberID: UInt64] {
        let members = members(of: session)
        let pairs = heads.compactMap { head in
            members[head.prefix].map { ($0, min(head.sequence, Limits.mailboxHeadMax)) }
        }
        return Dictionary(pairs, uniquingKeysWith: max)
    }

    private func send(_ rows: [ClaimRow], on connection: LinkConnection) {
        guard let peer = connection.peer, case .member = peer.kind else { return }
        for start in stride(from: 0, to: rows.count, by: Limits.syncedRowsMax) {
            connection.send(.synced(Array(rows[start..<min(start + Limits.syncedRowsMax, rows.count)])))
        }
    }
}

/// A member's row about the server that does not count. Scope: the record.
private enum RowFault: String, Fault {
    case malformed = "record-malformed"
    case badSignature = "bad-signature"

    var code: String { rawValue }
    var scope: FaultScope { .record }
}
