import TourModel
import TourWire

/// The same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

    /// A copy with a few bytes changed, left out, doubled or cut off.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        var changed = bytes
        for _ in 0...Int.random(in: 0..<3, using: &self) where !changed.isEmpty {
            let index = Int.random(in: 0..<changed.count, using: &self)
            switch Int.random(in: 0..<5, using: &self) {
            case 0: changed[index] = UInt8.random(in: .min ... .max, using: &self)
            case 1: changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: changed.remove(at: index)
            case 3: changed.insert(changed[index], at: index)
            default: changed.removeLast(changed.count - index)
            }
        }
        return changed
    }
}

/// Values of every kind that travels.
enum Samples {
    static func id<Kind: Identifier>(_ byte: UInt8) -> Kind { Kind(raw: bytes32(byte)) }

    static func bytes32(_ byte: UInt8) -> Bytes32 { Bytes32([UInt8](repeating: byte, count: 32))! }

    static let signature = [UInt8](repeating: 0x5A, count: 64)

    static let request = JoinRequest(
        identity: id(1), linkKey: id(2), wrappingKey: id(3), invite: id(4),
        handshakeHash: [UInt8](repeating: 5, count: 64), identitySignature: signature,
        inviteSignature: [UInt8](repeating: 0x6B, count: 64))

    static func event(_ kind: EventClass, epoch: UInt8, body: Int = 50) -> RunEvent {
        RunEvent(
            eventClass: kind, clock: LogicalClock(value: 0x0102_0304_0506_0708),
            epoch: kind == .control ? .none : id(epoch), signature: signature[...],
            body: [UInt8](repeating: 7, count: body)[...])
    }

    static func run(_ events: [RunEvent], pushed: Bool = false, hops: Int = 2, first: UInt64 = 3) -> Run {
        Run(author: id(8), first: first, previous: id(9), events: events, hops: hops, pushed: pushed)
    }

    static let want = Want(
        id: 77,
        ranges: [Want.Range(author: id(1), first: 1, last: .max), Want.Range(author: id(2), first: 5, last: 5)],
        graft: true)

    static let heads = [
        TaggedHead(prefix: .max, sequence: 1, tag: 0), TaggedHead(prefix: 0, sequence: .max, tag: .max),
    ]

    static let messages = plainMessages + blobMessages.map(LinkMessage.blob)

    private static let plainMessages: [LinkMessage] = [
        .bind(BindMessage(identity: id(1), signature: signature, datagramShare: bytes32(2), genesis: nil)),
        .bind(BindMessage(identity: id(1), signature: signature, datagramShare: bytes32(2), genesis: [1, 2, 3])),
        .joinRequest(request),
        .welcome([]),
        .welcome([EpochSecret(epoch: id(1), key: bytes32(2)), EpochSecret(epoch: id(3), key: bytes32(4))]),
        .joinRefusal(.revoked), .joinRefusal(.expired), .joinRefusal(.closed), .joinRefusal(.full),
        .joinRefusal(.invalid), .joinRefusal(.usedUp),
        .have(Have()), .have(Have(salt: .max, heads: heads)),
        .run(run([event(.chat, epoch: 1)])),
        .run(run([event(.control, epoch: 0)], pushed: true)),
        .run(run([event(.control, epoch: 0), event(.chat, epoch: 1), event(.control, epoch: 0)], pushed: true)),
        .run(run([event(.chat, epoch: 1), event(.chat, epoch: 1), event(.profile, epoch: 2), event(.chat, epoch: 1)])),
        .run(run([event(EventClass(rawValue: 200), epoch: 1)], first: .max - 256)),
        .run(run([event(.control, epoch: 0, body: Limits.controlBodyBytesMax)])),
        .want(want), .want(Want(id: 0, ranges: [], graft: false)),
        .served(id: .max, truncated: true), .served(id: 0, truncated: false),
        .prune,
        .controlIndex([]), .controlIndex([EventName(id(1)), EventName(id(2))]),
        .control([]), .control([[1], [UInt8](repeating: 2, count: 70_000)]),
        .rows([]), .rows([ClaimRow(row: [1, 2, 3], signature: signature, hops: 5)]),
        .ping, .pong,
        .bye(.duplicate), .bye(.closing), .bye(.removed), .bye(.left), .bye(.rehandshake),
        .epochAsk([]), .epochAsk([id(1), id(2)]), .epochKeys([]),
        .epochKeys([EpochSecret(epoch: id(1), key: bytes32(2))]),
        .positions([]), .positions([ClaimRow(row: [1, 2], signature: signature, hops: 1)]),
        .synced([]), .synced([ClaimRow(row: [1, 2, 3], signature: signature, hops: 5)]),
        .castAsks([castAsk]), .castAsks([castAsk, castAsk]),
        .ask(.commit(bytes32(1))), .ask(.nonce(bytes32(2))), .ask(.reveal(nonce: bytes32(3), name: "Anna")),
        .ask(.admitted(code: [UInt8](repeating: 4, count: AskMessage.codeBytes), tourName: "Museum")),
        .ask(.refused(.noCode)), .ask(.share(bytes32(5))),
        .ask(.proof([UInt8](repeating: 6, count: AskMessage.proofBytes))),
    ]

    static let castAsk = CastAsk(
        tag: 0x0123_4567_89ab_cdef, needs: [.init(block: 0, count: 1), .init(block: 16_383, count: 255)])

    private static let blobMessages: [BlobMessage] = [
        .state(.init(blob: id(1), wants: 0, have: [], asks: false)),
        .state(
            .init(
                blob: id(1), wants: Limits.blobWantsMax,
                have: [UInt8](repeating: 0xFF, count: Limits.blobChunksMax / 8), asks: true)),
        .got(id(1), []), .got(id(1), [0, 5, Limits.blobChunksMax - 1]),
        .ask(.init(blob: id(1))),
        .ask(.init(blob: id(1), pages: [0, Limits.blobPagesMax - 1], chunks: [7, 3], got: [1, 2])),
        .page(id(1), page: 2, hashes: [bytes32(3)]),
        .page(id(1), page: 0, hashes: Array(repeating: bytes32(4), count: Limits.blobPageHashesMax)),
        .chunk(.init(blob: id(1), chunk: 9, bytes: [UInt8](repeating: 1, count: Limits.blobTagBytes + 1))),
        .chunk(
            .init(
                blob: id(1), chunk: 0,
                bytes: [UInt8](repeating: 1, count: Limits.blobChunkBytes + Limits.blobTagBytes), got: [1, 2])),
        .drop(id(1), [], refused: false), .drop(id(1), [1, 2], refused: true),
    ]

    static let controls: [ControlBody] = [
        .genesis(
            ControlBody.Genesis(
                identity: id(1), linkKey: id(2), wrappingKey: id(3), commitment: bytes32(4), fullHistory: true,
                salt: [UInt8](repeating: 9, count: 16))),
        .invite(
            ControlBody.Invite(
                key: id(1), uses: .max, expiresAt: .max, sealedSecret: [UInt8](repeating: 1, count: 72), epoch: id(2))),
        .revoke(invite: id(1), accepted: []),
        .revoke(invite: id(1), accepted: [EventName(id(1)), EventName(id(2))]),
        .admit(request), .leave, .close,
        .role(.init(member: id(1), rank: .member, sequence: 0, replaces: [])),
        .role(.init(member: id(1), rank: .admin, sequence: .max, replaces: [id(2), id(3)])),
        .role(
            .init(
                member: id(1), rank: .guide, sequence: 9, replaces: [], controls: [EventName(id(3))])),
        .role(.init(member: id(1), rank: .creator, sequence: 7, replaces: [id(2)])),
        .remove(.init(member: id(1), sequence: 0, last: .none, revoked: [], accepted: [])),
        .remove(
            .init(
                member: id(1), sequence: .max, last: id(2), revoked: [id(3), id(4)],
                accepted: [EventName(id(1))],
                controls: [EventName(id(2)), EventName(id(3))])),
        .fork(ForkProof(identity: id(1), first: branch(1), second: branch(2))),
        .wrappingKey(id(1)), .rekey(rekey(recipients: 1)),
        // All whom a tour ever had, those whom a rekey names among them.
        .rekey(
            rekey(
                recipients: Limits.rekeyRecipientsMax, excluded: Limits.membersEverMax - Limits.rekeyRecipientsMax)),
        .rekey(rekey(recipients: 1, excluded: Limits.rekeyExcludedMax)),
    ]

    static func branch(_ number: UInt8) -> ForkProof.Branch {
        .init(header: [UInt8](repeating: number, count: EventHeader.length), signature: signature)
    }

    /// A rekey with ids and sequences as long as they get.
    static func rekey(recipients: Int, excluded: Int = 0) -> ControlBody.Rekey {
        ControlBody.Rekey(
            parents: (0..<UInt8(Limits.rekeyParentsMax)).map(id), roster: bytes32(1), commitment: bytes32(2),
            recipients: (0..<recipients).map { .init(member: .max - UInt64(recipients - $0), generation: 1 << 20) },
            wraps: [UInt8](repeating: 4, count: recipients * Limits.wrappedKeyBytes),
            excluded: (0..<excluded).map { UInt64($0) })
    }

    static let fix: Fix = {
        guard let place = Coordinate(latitude: -900_000_000, longitude: 1_800_000_000),
            let fix = Fix(place, accuracyMetres: 7, fixedAt: 1_767_261_600_000)
        else { preconditionFailure("the sample is in range") }
        return fix
    }()

    /// A file of that many bytes, of which everything is said.
    static func sentFile(_ size: UInt64, thumbnail: [UInt8]? = [1, 2, 3], replyTo: EventID? = id(1)) -> FileContent {
        guard let shape = BlobShape(size: size) else { preconditionFailure("the sample is in range") }
        return FileContent(
            key: bytes32(3), shape: shape, pageHashes: (0..<shape.pageCount).map { bytes32(UInt8($0)) },
            name: "Grüße.jpg", media: "image/jpeg", thumbnail: thumbnail, width: 640, height: 480, caption: "Tower",
            replyTo: replyTo)
    }

    static let bareFile: FileContent = {
        var file = sentFile(0)
        (file.media, file.thumbnail, file.caption, file.replyTo) = (nil, nil, nil, nil)
        (file.width, file.height) = (0, 0)
        return file
    }()

    private static let part = SharedPart(
        record: NotebookID(high: 1, low: 2), version: 3, part: 1, parts: 3,
        data: [UInt8](repeating: 7, count: Limits.sharedPartBytesMax), head: nil)
    private static let lastPart = SharedPart(
        record: NotebookID(high: 1, low: .max), version: Limits.sharedVersionMax, part: 2, parts: 3, data: [8],
        head: SharedPart.Head(kind: .itinerary, title: "Day 2"))

    static let contents: [Content] = [
        .text("a", replyTo: nil), .text("Grüße 🚌", replyTo: id(1)),
        .text(String(repeating: "é", count: Limits.textBytesMax / 2), replyTo: nil),
        .announcement(.init(text: "Bus", urgent: true, expiresAt: 5, replyTo: id(1))),
        .announcement(.init(text: "Bus", urgent: false, expiresAt: nil, replyTo: nil)),
        .location(.init(fix: fix, label: "Tower", replyTo: id(1))),
        .location(.init(fix: fix, label: nil, replyTo: nil)),
        .meeting(Meeting(place: fix.coordinate, label: "Tower", text: "Here", at: 5, expiresAt: 6)),
        .meeting(Meeting(place: fix.coordinate, label: nil, text: "Here", at: nil, expiresAt: nil)), .meeting(nil),
        .meeting(Meeting(place: nil, label: nil, text: "Reception", at: 5, expiresAt: nil)),
        .meeting(
            Meeting(
                place: fix.coordinate, label: nil, text: "Here", at: nil, expiresAt: nil,
                photo: sentFile(70_000_000, replyTo: nil))),
        .file(sentFile(1)), .file(bareFile), .image(sentFile(Limits.blobBytesMax)),
        .shared(part), .shared(lastPart),
        .shared(.takingBack(lastPart.record, version: 9, .init(kind: .place, title: "Café"))),
        .withdrawal(id(1)), .profile(name: "Søren"), .tourInfo(name: "Old town"),
    ]

    static let claim = FrontierClaim(
        member: id(1), counter: .max, heads: heads,
        whole: WholeFrontier(through: LogicalClock(value: .max), digest: .max),
        readThrough: LogicalClock(value: .max), isAsleep: true, understands: Abilities(rawValue: .max))

    static let header = EventHeader(
        eventClass: .chat, tour: id(1), author: id(2), sequence: 3, previous: id(4),
        clock: LogicalClock(value: 5), epoch: id(6), bodyHash: bytes32(7))
}
