import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire
import TourWords

/// The secrets of a tour that the store keeps sealed: our private keys and the epochs' keys.
///
/// ```
/// version u8 (2) | identity 64 | link 32 | number of wrapping keys u8
/// per wrapping key, oldest first: secret 32, made u64, superseded u64 (0: not), used u8; times in ms since 1970
/// per epoch: id 32, key 32
/// ```
struct SessionSecrets {
    var keys: MemberKeys
    var wrapping: WrappingKeys
    var epochs: [(id: EpochID, key: SecretBytes)]

    private static let version: UInt8 = 2

    private static let wrappingKeyBytes = WrappingKeyPair.secretBytes + 8 + 8 + 1

    var encoded: SecretBytes {
        var bytes = [Self.version]
        // Reserved so that the buffer never moves: nothing would wipe the copy left behind.
        bytes.reserveCapacity(
            2 + SigningKeyPair.secretBytes + LinkKeyPair.secretBytes + wrapping.kept.count * Self.wrappingKeyBytes
                + epochs.count * (Bytes32.count + EpochKey.keyBytes))
        for secret in [keys.identity.secret, keys.link.secret] { secret.withBytes { bytes.append(contentsOf: $0) } }
        bytes.append(UInt8(clamping: wrapping.kept.count))
        for kept in wrapping.kept {
            kept.pair.secret.withBytes { bytes.append(contentsOf: $0) }
            bytes.append(bigEndian: UInt64(clamping: kept.madeAt))
            bytes.append(bigEndian: UInt64(clamping: kept.supersededAt ?? 0))
            bytes.append(kept.isUsed ? 1 : 0)
        }
        for epoch in epochs {
            bytes += epoch.id.bytes
            epoch.key.withBytes { bytes.append(contentsOf: $0) }
        }
        return SecretBytes(taking: &bytes)
    }

    init(keys: MemberKeys, wrapping: WrappingKeys, epochs: [EpochKey]) {
        self.keys = keys
        self.wrapping = wrapping
        self.epochs = epochs.map { ($0.id, $0.key) }
    }

    /// - Returns: nil for bytes that are not in our format.
    init?(decoding secrets: SecretBytes) {
        guard let decoded = secrets.withCopy({ SessionSecrets(decoding: $0) }) else { return nil }
        self = decoded
    }

    private init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let version: UInt8 = reader.integer(), version == Self.version,
            let identity = reader.slice(SigningKeyPair.secretBytes).flatMap({ SigningKeyPair(secret: SecretBytes($0)) }
            ),
            let link = reader.slice(LinkKeyPair.secretBytes).flatMap({ LinkKeyPair(secret: SecretBytes($0)) }),
            let count: UInt8 = reader.integer()
        else { return nil }
        var kept = [WrappingKeys.Kept]()
        for _ in 0..<count {
            guard let one = Self.wrappingKey(&reader) else { return nil }
            kept.append(one)
        }
        guard let wrapping = WrappingKeys(kept) else { return nil }
        self.wrapping = wrapping
        keys = MemberKeys(identity: identity, link: link, wrapping: wrapping.newest)
        epochs = []
        while reader.remaining > 0 {
            guard let id = reader.slice(32).flatMap({ EpochID($0) }), let key = reader.slice(EpochKey.keyBytes) else {
                return nil
            }
            epochs.append((id, SecretBytes(key)))
        }
    }

    private static func wrappingKey(_ reader: inout ByteReader) -> WrappingKeys.Kept? {
        guard
            let pair = reader.slice(WrappingKeyPair.secretBytes).flatMap({ WrappingKeyPair(secret: SecretBytes($0)) }),
            let madeAt: UInt64 = reader.integer(), let supersededAt: UInt64 = reader.integer(),
            let isUsed: UInt8 = reader.integer()
        else { return nil }
        return WrappingKeys.Kept(
            pair: pair, madeAt: Int64(clamping: madeAt),
            supersededAt: supersededAt == 0 ? nil : Int64(clamping: supersededAt), isUsed: isUsed != 0)
    }
}

extension TourNode {
    /// Rebuilds the session of a stored tour.
    /// - Throws: `StoreError`, or `NodeError` when the stored parts do not fit together (scope node).
    static func open(_ record: TourRecord, _ store: TourStore) throws -> TourSession {
        let heads = try store.heads(record.tour)
        let damaged = NodeError(
            "damaged-tour", Phrase("What is stored of tour \(record.tour.description) does not fit together."),
            scope: .node)
        guard let secrets = SessionSecrets(decoding: record.secrets),
            let genesis = try store.controlEvents(record.tour).first(where: { TourID(genesis: $0) == record.tour }),
            var group = try? TourGroup(genesis: genesis)
        else { throw damaged }
        _ = group.add(controls: try store.controlEvents(record.tour))
        let missing = group.drainMissingActs()
        if !missing.isEmpty { _ = group.add(controls: try store.controlEvents(record.tour, of: missing)) }
        // Removes events that nobody needs, left by an earlier version, so that later starts need not read them.
        let dropped = group.drainDropped()
        if !dropped.isEmpty { try store.removeControlEvents(record.tour, dropped) }
        for epoch in secrets.epochs { group.restore(epoch.id, epoch.key) }
        let own = secrets.keys.memberID
        let tail = heads[own].map { Author.Tail(sequence: $0.sequence, id: $0.id) }
        let ahead = try store.aheadEvents(record.tour)
        let clock = (heads.values.map(\.clock) + ahead.map(\.header.clock))
            .filter { $0.isCredible(wallMilliseconds: NodeClock.wallMilliseconds) }.max()
        let author = Author(
            identity: secrets.keys.identity, tour: record.tour, tail: tail ?? Author.Tail(sequence: 0, id: .none),
            clock: max(clock ?? .zero, heads[own]?.clock ?? .zero))
        var gossip = GossipMachine(
            own: own, members: group.roster.members.keys, leaders: group.roster.leaders, ends: group.roster.ends,
            heads: heads.mapValues { (sequence: $0.sequence, id: $0.id) }, sizes: heads.mapValues(\.size), ahead: ahead,
            ownLog: try ownLogState(of: own, store), ownThrough: group.shownTail(of: own),
            people: Set(group.roster.people.map(\.id)))
        var receipts = ReceiptState(own: own, marks: try store.watermarks(record.tour))
        receipts.restore(try store.receiptSteps(record.tour))
        let signs = SignsOfLife(own: own, kept: try store.signs(record.tour))
        var (claims, times) = ([VerifiedClaim](), [Int64]())
        for stored in try store.frontierRows(record.tour) {
            let member = stored.member
            let decoded = try? FrontierClaim.decode(stored.bytes) { $0 == member.prefix ? member : nil }
            guard let claim = decoded else { continue }
            let row = ClaimRow(row: stored.bytes, signature: stored.signature, hops: 1)
            claims.append(VerifiedClaim(claim: claim, row: row))
            times.append(stored.receivedAt)
        }
        let through = heads.values.map(\.clock).max()
        let opened = gossip.restore(claims, readThrough: record.readThrough, through: through)
        for (claim, time) in zip(opened, times) {
            let isNewest =
                gossip.claims(of: claim.member).first?.claim.counter == claim.counter
                && signs.isNewest(claim.counter, of: claim.member)
            receipts.record(claim, at: time, isNewest: isNewest) { gossip.knows(prefix: $0) }
        }
        receipts.recordRead(record.readThrough, at: NodeClock.wallMicroseconds)
        let machine = TourMachine(
            TourMachine.Start(
                keys: secrets.keys, wrapping: secrets.wrapping, group: group, author: author, gossip: gossip,
                signs: signs, receipts: receipts,
                claimCounter: claims.filter { $0.claim.member == own }.map(\.claim.counter).max() ?? 0,
                startedAt: NodeClock.wallMicroseconds))
        let session = TourSession(record: record, machine: machine)
        session.joinedBy = try joinedBy(own, store)
        session.formerIDs = try formerIDs(record.tour, store)
        session.restoreSync(try store.syncedHeads(record.tour))
        session.owesWipe = try store.setting(owedWipeSetting(own)) != nil
        session.isLeaveTold = try store.setting(leaveSetting(own)) != nil
        for profile in try store.profileEvents(record.tour) {
            session.decorate(profile.event, archived: profile.archived)
        }
        try session.readAnnounced(store)
        try session.readStragglerSetting(store)
        return session
    }

    private static func formerIDsSetting(_ tour: TourID) -> String { "former-ids/\(tour.hex)" }

    /// Our ids in a tour before we joined it again.
    private static func formerIDs(_ tour: TourID, _ store: TourStore) throws(StoreError) -> Set<MemberID> {
        let bytes = try store.setting(formerIDsSetting(tour)) ?? []
        let starts = stride(from: 0, to: bytes.count, by: Bytes32.count)
        return Set(starts.compactMap { Bytes32(bytes[$0...].prefix(Bytes32.count)).map(MemberID.init(raw:)) })
    }

    /// We join a tour again: our earlier messages are still ours.
    func keepFormerID(of left: TourSession) throws(StoreError) {
        let ids = left.formerIDs.union([left.own]).sorted()
        try store.setSetting(Self.formerIDsSetting(left.tour), value: ids.flatMap(\.bytes))
    }

    /// Writes the tour's row: name, keys, how far the user has read.
    func save(_ session: TourSession) throws {
        let secrets = SessionSecrets(
            keys: session.machine.keys, wrapping: session.machine.wrapping, epochs: session.group.keptKeys)
        session.record.secrets = secrets.encoded
        do { try store.saveTour(session.record) } catch { throw NodeError.store(error) }
    }
}
