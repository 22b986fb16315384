import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourStore
import TourTransport
import TourWire

/// One tour on this node: machines, keys, links and what is shown of it. Belongs to the node's actor.
final class TourSession {
    let tour: TourID
    var keys: MemberKeys
    /// Our wrapping keys; that of `keys` is one of them.
    var wrapping: WrappingKeys
    var record: TourRecord
    var group: TourGroup
    var author: Author
    var gossip: GossipMachine
    /// How many calls of `TourNode.feed` are under way, one inside the other.
    var feeding = 0
    /// Where our own log ends on the disk; the author may be ahead of it while a commit is under way.
    var durableTail: Author.Tail
    var ownJobs = 0
    /// What these commits add to our log.
    var unstoredSize = LogSize.zero
    /// A commit of ours failed: nothing new is written until those under way have come back.
    var isPoisoned = false
    var names = NameBook()
    /// The clock of the event that last named a member, or the tour.
    var nameClocks: [MemberID: LogicalClock] = [:]
    var tourNameClock = LogicalClock.zero
    var withdrawals: Set<Withdrawal> = []
    /// What each member said last about a meeting.
    var answers: [MemberID: SaidAnswer] = [:]
    var alarms = AlarmBook()
    var rolls = RollBook()
    var urgent = UrgentBook()
    var stragglers = StragglerWatch()
    var board: StatusBoard
    var isBoardStale = false
    var reading = ReadingReview()
    /// Per link the connection, while it is open.
    var connections: [LinkID: LinkConnection] = [:]
    /// When each member last gave a sign of life, and how many links away.
    var signs: SignsOfLife
    /// When that and what the board knows of receipts is written next, if there is anything new.
    var presenceDue = NodeClock.now + TourNode.presencePause
    /// What each member's clock showed in its newest row, and when that came.
    var memberTimes: [MemberID: (milliseconds: Int64, at: Instant)] = [:]
    /// When a member's link was lost; present again only if something was heard of it since.
    var lostAt: [MemberID: Instant] = [:]
    /// The store failed: no link is used before this.
    var storePausedUntil: Instant?
    /// Runs that are being verified beside the loop.
    var verifying = 0
    /// Events handed to the store and not stored yet.
    var unstored = 0
    /// So many of them that the links are not read.
    var isHoldingBack = false
    var lastCompared: [LinkID: Instant] = [:]
    var intake = ControlIntake()
    /// The segments that the machine knows of.
    var segments: [SegmentID] = []
    private var seals: [EpochID: DatagramSeal] = [:]
    /// Rows that came by datagram and are checked in a moment.
    var gatheredClaims = GatheredClaims()
    /// The last counter that a claim of ours was signed with.
    var claimCounter: UInt64 = 0
    /// Members of whom claims were heard that are not on the disk yet.
    var unsavedClaims: Set<MemberID> = []
    /// Admissions on their way to the disk: who asked, and with which invite.
    var admitting: [MemberID: SigningKey] = [:]
    /// Somebody said that it knows that we left.
    var isLeaveTold = false
    /// Somebody who is linked told us its control events: it has us as a member, or may.
    var isRecognised = false
    /// Whoever watches was told that there are links.
    var isLinkTold = false
    /// Resumed when it shows whether we are still in, or was waited for long enough.
    var standingWaits: [CheckedContinuation<Void, Never>] = []
    /// Resumed when the tour's name arrives or was waited for long enough.
    var nameWait: CheckedContinuation<Void, Never>?
    /// Authors whose forks we have proven, or are about to.
    var provenForks: Set<MemberID> = []
    var isBoardScheduled = false
    var gaps = Gaps()
    var sync = TourSync()
    /// The next pass over the statuses comes at this time at the earliest.
    var boardPausedUntil = Instant(microseconds: 0)
    /// The time of last use that is on the disk, or on its way there.
    var savedUseAt: Int64
    private var tags: (slot: UInt64, revision: Int, values: Set<UInt64>)?
    private var credentials: (revision: Int, port: Int, list: [LinkCredential])?
    private var joinSecrets: [SigningKey: SecretBytes] = [:]
    /// The invite that we came by, and its join secret.
    var cameBy: (invite: SigningKey, secret: SecretBytes)?
    var epochs = EpochChores()
    let files = FileDesk()
    let casts = CastDesk()
    /// Set while this node says where it is; and the last counter that a row of that was signed with.
    var sharing: Sharing?
    var positionCounter: UInt64 = 0
    /// When we noticed that the tour is over for us, in milliseconds since 1970.
    var overSince: Int64?
    var isWipingKeys = false
    /// Its keys are wiped here, and perhaps not on the disk.
    var owesWipe = false
    /// Per invite what seals the questions of joiners, our answer that is about to go out, and when somebody answered.
    var joinSeals: [SigningKey: DatagramSeal] = [:]
    var joinAnswers: [SigningKey: Scheduled<Void>] = [:]
    var answeredJoiners: [SigningKey: Instant] = [:]
    var ownJoinAnswers: [SigningKey: Instant] = [:]

    /// The roster that people were told of, and the acts of ours that did not count in it.
    var knownRoster: Roster
    var knownVoid: Set<EventID>
    /// Who came, and when, until it is told.
    var arrivals: [MemberID: Instant] = [:]
    /// Our ids in this tour before we came back to it.
    var formerIDs: Set<MemberID> = []
    /// Another device seems to sign rows with our key: since when, and when that was sure and heard last.
    var firstTwinSignAt: Instant?
    var twinHeardAt: Instant?

    init(
        record: TourRecord, keys: MemberKeys, wrapping: WrappingKeys, group: TourGroup, author: Author,
        gossip: GossipMachine, board: StatusBoard, signs: SignsOfLife
    ) {
        tour = group.tour
        self.record = record
        savedUseAt = record.usedAt
        self.keys = keys
        self.wrapping = wrapping
        self.group = group
        self.author = author
        self.gossip = gossip
        self.board = board
        self.signs = signs
        durableTail = author.tail
        knownRoster = group.roster
        knownVoid = Set(group.voidActs(of: author.id).map(\.event.id))
        noteMembers()
    }

    /// The statuses of old messages hang on who was there when they were written.
    func noteMembers() { board.noteMembers(group.roster.members.mapValues(\.admittedAt)) }

    var own: MemberID { author.id }

    /// Whether messages may be written: the tour is not closed and we have not left.
    var isActive: Bool {
        record.active && !hasLostKey && !group.roster.isClosed && group.roster.members[own]?.isActive == true
    }

    /// Whether we have left, as our log says.
    var hasLeft: Bool { group.roster.members[own]?.hasLeft == true }

    /// Whether our membership is over: we have left, were removed, or our log forks.
    var isOut: Bool { group.roster.members[own]?.isActive == false }

    /// Whether this node belongs to the tour, be it closed or not.
    var isMember: Bool { record.active && !isOut && !hasLostKey }

    /// Whether links are made for this tour. A closed tour is still spread, so that everybody has all of it; one that
    /// we left until somebody knows that we did, since the others would count us for ever.
    var wantsLinks: Bool {
        guard !hasLostKey else { return false }
        guard let member = group.roster.members[own] else { return record.active }
        guard !member.isActive else { return true }
        // Nobody links with a member that was removed.
        guard member.hasLeft, !member.isRemoved, !member.isForked else { return false }
        let sentThrough: UInt64 = board.marks[own]?.sentThrough ?? 0
        return !isLeaveTold && sentThrough < gossip.stored[own]
    }

    /// Whether the tour's name is known; until then a part of its id stands for it.
    var isNamed: Bool { tourNameClock > .zero }

    /// Ends the waiting for the name once all is here that leaders are known to have written: the tour may have been
    /// given another name since.
    func reviewNameWait() {
        guard nameWait != nil else { return }
        if isNamed, !group.roster.leaders.contains(where: gossip.lacks) { endNameWait() }
    }

    func endStandingWaits() {
        for wait in standingWaits { wait.resume() }
        standingWaits = []
    }

    func endNameWait() {
        nameWait?.resume()
        nameWait = nil
    }

    /// Whether we made it.
    var isOurs: Bool { own == group.roster.creator }

    /// Our own role, as JSON spells it.
    var roleWord: String { group.roster.members[own].map { group.roster.roleWord(of: $0) } ?? rank.word }

    /// Named by the creator to take over.
    func ranksAsSuccessor(_ member: Member) -> Bool { member.rank == .creator && member.id != group.roster.creator }

    var isSuccessor: Bool { group.roster.members[own].map { ranksAsSuccessor($0) } ?? false }

    var rank: Rank { group.roster.rank(of: own) ?? .member }

    var linkKeys: LinkKeys { LinkKeys(identity: keys.identity, link: keys.link) }

    /// The epochs whose secrets open links, those of the heads first: half of what a hello is tried against, so that
    /// there is room for those who join.
    private var linkEpochs: ArraySlice<EpochKey> { group.epochKeys.prefix(Limits.credentialsMax / 2) }

    /// What opens links between members: one for each such epoch. Derived when keys change: every hello needs them.
    /// - Parameter datagramPort: where we hear datagrams of these links; 0: nowhere.
    func memberCredentials(datagramPort: Int = 0) -> [LinkCredential] {
        let revision = group.keyring.revision
        if let credentials, credentials.revision == revision, credentials.port == datagramPort {
            return credentials.list
        }
        let list = linkEpochs.map {
            var credential = LinkCredential(
                tour: tour, purpose: .member, secret: $0.linkSecret, keys: linkKeys, genesis: group.genesisEvent.bytes)
            credential.datagramPort = datagramPort
            credential.epoch = $0.id
            return credential
        }
        credentials = (revision, datagramPort, list)
        return list
    }

    /// The tags that members of this tour may show now; worked out once a slot.
    func expectedTags(slot: UInt64) -> Set<UInt64> {
        let revision = group.keyring.revision
        if let tags, tags.slot == slot, tags.revision == revision { return tags.values }
        let values = linkEpochs.reduce(into: Set<UInt64>()) {
            $0.formUnion(AddressBook.tags($1.linkSecret, .member, around: slot))
        }
        tags = (slot, revision, values)
        return values
    }

    /// Whatever was derived from epochs' keys that are wiped now.
    func forgetDerivedKeys() {
        (seals, joinSecrets, joinSeals) = ([:], [:], [:])
        (credentials, tags, cameBy) = (nil, nil, nil)
        casts.end()
    }

    func member(of peer: LinkPeer) -> MemberID? {
        switch peer.kind {
        case .member(let member), .restricted(let member): member
        case .former, .joiner, .host: nil
        }
    }

    /// Whether somebody at the end of a link hears of the tour's control events.
    func tells(_ peer: LinkPeer) -> Bool {
        switch peer.kind {
        case .member: true
        case .restricted: hearing(of: peer) == .all
        case .former, .joiner, .host: false
        }
    }

    /// - Returns: nil for who is at no restricted link.
    func hearing(of peer: LinkPeer) -> RestrictedHearing? {
        guard case .restricted(let device) = peer.kind else { return nil }
        return group.hearing(of: device, through: peer.epoch)
    }

    /// Derived once: every datagram needs it.
    func seal(of epoch: EpochKey) -> DatagramSeal {
        if let seal = seals[epoch.id] { return seal }
        let seal = DatagramSeal(epoch)
        seals[epoch.id] = seal
        return seal
    }

    /// Opened once: a hello is tried against it each time.
    func joinSecret(of invite: InviteState) -> SecretBytes? {
        if let secret = joinSecrets[invite.key] { return secret }
        let secret = group.joinSecret(of: invite) ?? (cameBy?.invite == invite.key ? cameBy?.secret : nil)
        joinSecrets[invite.key] = secret
        return secret
    }

    func view(_ store: TourStore) -> TourView {
        TourView(
            store: store, group: group, names: names, withdrawals: withdrawals, board: board, own: own,
            formerIDs: formerIDs, synced: sync.known, files: files.progress)
    }

    func connection(to member: MemberID) -> (LinkID, LinkConnection)? {
        for (link, connection) in connections {
            switch connection.peer?.kind {
            case .member(member), .restricted(member): return (link, connection)
            default: continue
            }
        }
        return nil
    }

    /// Whether the member was heard of, directly or through others, in the last half minute. Who is out hears nobody.
    func isReachable(_ member: MemberID, now: Instant) -> Bool {
        if member == own { return true }
        if isOut { return false }
        return signs.at(member).map { now - $0 < Limits.presenceLifetime } ?? false
            || gossip.neighbours.values.contains(member)
    }

    /// Links between us and the member when it was heard of last.
    /// - Parameter linked: whom links of ours reach.
    func hops(to member: MemberID, linked: Set<MemberID>) -> Int? {
        if member == own { return 0 }
        return linked.contains(member) ? 1 : signs.hops(member).map { max($0, 1) }
    }

    /// Whether the member counts as present when links are chosen.
    func isPresent(_ member: MemberID, now: Instant) -> Bool {
        Overlay.isPresent(seenAt: signs.at(member), lostAt: lostAt[member], now: now)
    }

    /// Takes what an event says about names and withdrawals.
    /// - Parameter archived: what it says, if its key is wiped.
    func decorate(_ event: Event, archived: [UInt8]? = nil) {
        guard event.header.eventClass == .profile, let content = try? group.open(event, archived: archived) else {
            return
        }
        let header = event.header
        switch content {
        case .profile(let name):
            if nameClocks[header.author] ?? .zero <= header.clock {
                nameClocks[header.author] = header.clock
                names.set(name, of: header.author)
            }
        case .tourInfo(let name):
            if tourNameClock <= header.clock {
                tourNameClock = header.clock
                record.name = name
            }
        case .withdrawal(let id):
            withdrawals.insert(Withdrawal(event: id, author: header.author))
            alarms.withdraw(id, by: header.author)
            rolls.withdraw(id, by: header.author)
            urgent.withdraw(id, by: header.author)
        case .meetingAnswer(let answer):
            let said = SaidAnswer(answer: answer, clock: header.clock)
            if answers[header.author].map({ $0.clock <= header.clock }) ?? true { answers[header.author] = said }
        case .rollAnswer(let answer):
            let place = RollBook.Place(clock: header.clock, id: event.id)
            rolls.note(answer, at: place, by: header.author, leads: led(header))
        case .understood(let id): urgent.note(understood: id, by: header.author, clock: header.clock)
        // They are of other classes.
        case .text, .location, .file, .image, .meeting, .announcement, .alarm, .alarmAnswer, .rollCall, .rollEnd,
            .buddies, .shared, .unsupported:
            break
        }
    }
}

/// Somebody took back a message; it counts if the message is the same author's.
struct Withdrawal: Hashable, Sendable {
    var event: EventID
    var author: MemberID
}
