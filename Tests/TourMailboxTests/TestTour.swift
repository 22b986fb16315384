import Synchronization
import TourCrypto
import TourGroup
import TourMailbox
import TourModel
import TourWire

/// A tour of fixed keys whose members write.
struct TestTour {
    static let wall: Int64 = 1_767_225_600_000

    static func keys(_ number: UInt8) -> MemberKeys {
        func bytes(_ kind: UInt8) -> [UInt8] { [kind, number] + (0..<30).map { UInt8($0) } }
        return MemberKeys(
            identity: SigningKeyPair(seed: SecretBytes(bytes(1))), link: LinkKeyPair(secret: SecretBytes(bytes(2)))!,
            wrapping: WrappingKeyPair(secret: SecretBytes(bytes(3)))!)
    }

    let founding: Founding
    private(set) var authors: [MemberID: Author] = [:]
    private(set) var logs: [MemberID: [Event]] = [:]
    private let invite = InviteSecret(seed: [UInt8](repeating: 9, count: 16))!

    /// The creator, and members 2, 3, … whom it let in.
    init(members: UInt8 = 1) {
        founding = Founding(
            keys: Self.keys(1), epochKey: SecretBytes([UInt8](repeating: 61, count: 32)), fullHistory: true,
            salt: [UInt8](repeating: 1, count: 16), wallMilliseconds: Self.wall)
        authors[creator] = founding.author
        logs[creator] = [founding.group.genesisEvent]
        let body = founding.group.inviteBody(invite, uses: 0, expiresAt: nil, under: founding.epoch)
        write(body, by: creator)
        for number in 1..<max(members, 1) { admit(number + 1) }
    }

    var tour: TourID { founding.group.tour }
    var creator: MemberID { Self.id(1) }

    static func id(_ number: UInt8) -> MemberID { keys(number).memberID }

    static func pass(_ number: UInt8, of tour: TourID) -> MemberPass {
        MemberPass(tour: tour, identity: keys(number).identity)
    }

    /// `sponsor` lets a member in.
    mutating func admit(_ number: UInt8, by sponsor: UInt8 = 1) {
        let keys = Self.keys(number)
        let request = JoinRequest.signed(
            identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey,
            invite: invite.invitePair, tour: tour, handshakeHash: [UInt8](repeating: 3, count: 64))
        write(.admit(request), by: Self.id(sponsor))
        authors[keys.memberID] = Author(
            identity: keys.identity, tour: tour, tail: .init(sequence: 0, id: .none), clock: .zero)
    }

    /// The creator lets in a server's archive, which has the keys of that number.
    mutating func admitArchive(_ number: UInt8) {
        guard let request = Self.archiveRequest(number, of: tour, under: invite.invitePair) else { return }
        write(.admit(request), by: creator)
    }

    private static func archiveRequest(_ number: UInt8, of tour: TourID, under invite: SigningKeyPair) -> JoinRequest? {
        let keys = keys(number)
        let challenge = JoinRequest.archiveChallenge()
        let half = JoinRequest.ofArchive(
            identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey,
            invite: invite.publicKey, tour: tour, challenge: challenge)
        return JoinRequest.ofArchive(
            identity: half.identity, linkKey: half.linkKey, wrappingKey: half.wrappingKey,
            signature: half.identitySignature, invite: invite, tour: tour, challenge: challenge)
    }

    mutating func remove(_ number: UInt8) {
        let id = Self.id(number)
        let tail = authors[id]?.tail ?? .init(sequence: 0, id: .none)
        let controls = Set((logs[id] ?? []).map(\.id))
        write(group.removeBody(id, log: KnownLog(tail: tail, controls: controls)), by: creator)
    }

    mutating func write(_ body: ControlBody, by member: MemberID) {
        guard let event = authors[member]?.write(body, wallMilliseconds: Self.wall) else { return }
        logs[member, default: []].append(event)
    }

    mutating func say(_ text: String, by number: UInt8) {
        let member = Self.id(number)
        let content = Content.text(text, replyTo: nil)
        guard let event = authors[member]?.write(content, under: founding.epoch, wallMilliseconds: Self.wall) else {
            return
        }
        logs[member, default: []].append(event)
    }

    var controls: [Event] { logs.values.joined().filter { $0.header.eventClass == .control } }

    var group: TourGroup {
        var group = founding.group
        _ = group.add(controls: controls.map(\.bytes))
        return group
    }

    var events: Set<EventID> { Set(logs.values.joined().map(\.id)) }
}

/// A node of a test: logs in memory, taken as a node takes them.
final class TestPeer: SyncPeer {
    struct State {
        var group: TourGroup
        var logs: [MemberID: [Event]]
        var notes: [(heads: [MemberID: UInt64], at: ServerTime)] = []
        var progress: [SyncProgress] = []
    }

    let state: Mutex<State>
    private let own: MemberID

    /// - Parameter logs: what it has already; nil: the genesis alone.
    init(_ tour: TestTour, as number: UInt8, logs: [MemberID: [Event]]? = nil) {
        own = TestTour.id(number)
        let genesis = tour.founding.group.genesisEvent
        var group = tour.founding.group
        let given = logs ?? [tour.creator: [genesis]]
        _ = group.add(controls: given.values.joined().filter { $0.header.eventClass == .control }.map(\.bytes))
        state = Mutex(State(group: group, logs: given))
    }

    var events: Set<EventID> { state.withLock { Set($0.logs.values.joined().map(\.id)) } }
    var notes: [(heads: [MemberID: UInt64], at: ServerTime)] { state.withLock { $0.notes } }
    var progress: [SyncProgress] { state.withLock { $0.progress } }
    var roster: Roster { state.withLock { $0.group.roster } }

    func heads() async -> [MemberID: UInt64] { state.withLock { $0.logs.mapValues { UInt64($0.count) } } }

    func behind(_ heads: [MemberID: UInt64]) async -> [MemberID: UInt64] {
        state.withLock { state in
            heads.reduce(into: [:]) { lacking, head in
                guard state.group.roster.members[head.key] != nil else { return }
                let held = UInt64(state.logs[head.key]?.count ?? 0)
                if held < min(head.value, state.group.roster.ends[head.key] ?? .max) { lacking[head.key] = held }
            }
        }
    }

    func events(of author: MemberID, from first: UInt64, through last: UInt64, bytesMax: Int) async -> [Event] {
        state.withLock { state in
            let log = state.logs[author] ?? []
            var bytes = 0
            let wanted = log.filter { (first...last).contains($0.header.sequence) }
            return Array(
                wanted.prefix { event in
                    bytes += event.bytes.count
                    return bytes <= bytesMax || event.header.sequence == first
                })
        }
    }

    func controls(behind heads: [MemberID: UInt64]) async -> [Event] {
        state.withLock { $0.group.controls(behind: heads) }
    }

    func introduction() async -> Introduction {
        state.withLock {
            Introduction(
                genesis: $0.group.genesisEvent.bytes, controls: $0.group.introduction,
                leads: $0.group.roster.rank(of: own)?.leads == true)
        }
    }

    func hasArchive() async -> Bool { state.withLock { $0.group.roster.archive != nil } }

    func keys(_ epochs: [EpochID], forArchive archive: MemberID) async -> [WrappedEpoch] {
        state.withLock { state in
            guard let member = state.group.roster.members[archive], member.isArchive else { return [] }
            return state.group.epochKeys(for: archive, among: Set(epochs)).compactMap { key in
                member.wrappingKey.wrap(key.key).map { WrappedEpoch(epoch: key.id, wrapped: $0) }
            }
        }
    }

    func receive(controls: [[UInt8]]) async { state.withLock { _ = $0.group.add(controls: controls) } }

    func receive(runs: [Run]) async {
        state.withLock { state in
            for run in runs {
                guard let identity = state.group.roster.members[run.author]?.identity,
                    let sound = try? VerifiedRun(run, tour: state.group.tour, identity: identity),
                    sound.first == UInt64(state.logs[run.author]?.count ?? 0) + 1
                else { continue }
                state.logs[run.author, default: []] += sound.events
                _ = state.group.add(verified: sound.events)
            }
        }
    }

    func record(heads: [MemberID: UInt64], at time: ServerTime) async {
        state.withLock { $0.notes.append((heads, time)) }
    }

    func record(progress: SyncProgress) async { state.withLock { $0.progress.append(progress) } }
}

/// Tokens in memory.
final class TestTokens: TokenStore {
    private let kept: Mutex<AccountTokens?>

    init(_ tokens: AccountTokens? = nil) { kept = Mutex(tokens) }

    var now: AccountTokens? { kept.withLock { $0 } }

    func tokens() async -> AccountTokens? { now }

    func keep(_ tokens: AccountTokens?) async { kept.withLock { $0 = tokens } }
}
