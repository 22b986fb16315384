import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

/// A tour as the store holds it, from which a session is rebuilt.
struct StoredTour {
    let record: TourRecord
    let store: TourStore

    private var tour: TourID { record.tour }
    private var member: MembershipRecords { MembershipRecords(store: store, member: record.ownMember) }

    /// Rebuilds the session.
    /// - Throws: `StoreError`, or `NodeError` when the stored parts do not fit together (scope node).
    func session() throws -> TourSession {
        guard let secrets = SessionSecrets(decoding: record.secrets), let group = try group(secrets) else {
            throw NodeError.keeping(.damagedTour(tour))
        }
        let session = TourSession(record: record, machine: try machine(secrets, group))
        if let origin = try member.joinedBy { session.joiners.recordOrigin(origin.invite, origin.secret) }
        session.formerIDs = try formerIDs()
        let synced = try store.syncedHeads(tour)
        session.sync.restore(
            known: synced.mapValues(\.known), confirmed: synced.mapValues(\.told).filter { $0.value > 0 })
        session.machine.receipts.restoreServer(through: session.sync.confirmed(session.own))
        session.horizon = KeyHorizon(owesWipe: try member.owesWipe)
        session.isLeaveTold = try member.isLeaveTold
        session.isAnsweringAskers = try store.setting(askingSetting) == nil
        for profile in try store.profileEvents(tour) { session.decorate(profile.event, archived: profile.archived) }
        try session.readAnnounced(store)
        try session.readStragglerSetting(store)
        return session
    }

    /// - Returns: nil if the stored parts do not fit together.
    private func group(_ secrets: SessionSecrets) throws(StoreError) -> TourGroup? {
        let controls = try store.controlEvents(tour)
        guard let genesis = controls.first(where: { TourID(genesis: $0) == tour }),
            var group = try? TourGroup(genesis: genesis)
        else { return nil }
        _ = group.add(controls: controls)
        let missing = group.drainMissingActs()
        if !missing.isEmpty { _ = group.add(controls: try store.controlEvents(tour, of: missing)) }
        // Removes events that nobody needs, left by an earlier version, so that later starts need not read them.
        let dropped = group.drainDropped()
        if !dropped.isEmpty { try store.removeControlEvents(tour, dropped) }
        for epoch in secrets.epochs { group.restore(epoch.id, epoch.key) }
        return group
    }

    private func machine(_ secrets: SessionSecrets, _ group: TourGroup) throws(StoreError) -> TourMachine {
        let own = secrets.keys.memberID
        let heads = try store.heads(tour)
        let ahead = try store.aheadEvents(tour)
        var gossip = GossipMachine(
            own: own, members: group.roster.members.keys, leaders: group.roster.leaders, ends: group.roster.ends,
            heads: heads.mapValues { (sequence: $0.sequence, id: $0.id) }, sizes: heads.mapValues(\.size), ahead: ahead,
            ownLog: try member.ownLog, ownThrough: group.shownTail(of: own),
            people: Set(group.roster.linking.map(\.id)))
        var receipts = ReceiptState(own: own, marks: try store.watermarks(tour))
        receipts.restore(try store.receiptSteps(tour))
        let signs = SignsOfLife(own: own, kept: try store.signs(tour))
        let claims = try claims()
        let covered = gossip.restore(
            claims.map(\.claim), readThrough: record.readThrough, through: heads.values.map(\.clock).max())
        for (stored, heads) in zip(claims, covered) {
            let claim = stored.claim.claim
            receipts.record(heads, of: claim.member, at: stored.receivedAt)
            let isNewest =
                gossip.claims(of: claim.member).first?.claim.counter == claim.counter
                && signs.isNewest(claim.counter, of: claim.member)
            guard isNewest, let clock = claim.readThrough else { continue }
            receipts.recordRead(clock, by: claim.member, at: stored.receivedAt)
        }
        receipts.recordRead(record.readThrough, by: own, at: NodeClock.wallMicroseconds)
        let counters = claims.map(\.claim.claim).filter { $0.member == own }.map(\.counter)
        return TourMachine(
            TourStart(
                keys: secrets.keys, wrapping: secrets.wrapping, group: group,
                author: author(secrets, heads, ahead.map(\.header.clock)), gossip: gossip, signs: signs,
                receipts: receipts, claimCounter: counters.max() ?? 0, startedAt: NodeClock.wallMicroseconds))
    }

    /// The writing end of our log. Its clock is behind no stored event that a right clock can have given.
    private func author(
        _ secrets: SessionSecrets, _ heads: [MemberID: StoredHead], _ aheadClocks: [LogicalClock]
    ) -> Author {
        let wall = NodeClock.wallMilliseconds
        let clock = (heads.values.map(\.clock) + aheadClocks).filter { $0.isCredible(wallMilliseconds: wall) }.max()
        let end = heads[secrets.keys.memberID]
        return Author(
            identity: secrets.keys.identity, tour: tour,
            tail: end.map { Author.Tail(sequence: $0.sequence, id: $0.id) } ?? Author.Tail(sequence: 0, id: .none),
            clock: max(clock ?? .zero, end?.clock ?? .zero))
    }

    /// The stored claims that can be read, with the time when each arrived.
    private func claims() throws(StoreError) -> [(claim: VerifiedClaim, receivedAt: Int64)] {
        try store.frontierRows(tour).compactMap { stored in
            let member = stored.member
            let decoded = try? FrontierClaim.decode(stored.bytes) { $0 == member.prefix ? member : nil }
            guard let claim = decoded else { return nil }
            let row = ClaimRow(row: stored.bytes, signature: stored.signature, hops: 1)
            return (VerifiedClaim(claim: claim, row: row), stored.receivedAt)
        }
    }

    private var askingSetting: String { "asking-off/\(tour.hex)" }

    /// Keeps whether the user wants those to be answered who ask to be let in.
    func keep(isAnsweringAskers: Bool) throws(StoreError) {
        try store.setSetting(askingSetting, value: isAnsweringAskers ? nil : [0])
    }

    private var formerIDsSetting: String { "former-ids/\(tour.hex)" }

    /// Our ids in the tour before we joined it again.
    private func formerIDs() throws(StoreError) -> Set<MemberID> {
        let bytes = try store.setting(formerIDsSetting) ?? []
        let starts = stride(from: 0, to: bytes.count, by: Bytes32.count)
        return Set(starts.compactMap { Bytes32(bytes[$0...].prefix(Bytes32.count)).map(MemberID.init(raw:)) })
    }

    /// We join the tour again: our earlier messages are still ours.
    func keepFormerID(of left: TourSession) throws(StoreError) {
        let ids = left.formerIDs.union([left.own]).sorted()
        try store.setSetting(formerIDsSetting, value: ids.flatMap(\.bytes))
    }
}
