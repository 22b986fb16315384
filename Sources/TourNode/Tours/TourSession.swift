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
    /// How many calls of `TourNode.feed` are in progress, one inside the other.
    var feeding = 0
    /// Where our own log ends on the disk; the author may be ahead of it during a commit.
    var durableTail: Author.Tail
    var ownJobs = 0
    /// How much the commits in progress add to our log.
    var unstoredSize = LogSize.zero
    /// A commit of ours failed: nothing new is written until all commits in progress have ended.
    var isPoisoned = false
    var names = NameState()
    /// The clock of the event that last set each member's name, or the tour's.
    var nameClocks: [MemberID: LogicalClock] = [:]
    var tourNameClock = LogicalClock.zero
    var withdrawals: Set<Withdrawal> = []
    /// Each member's last answer about a meeting.
    var answers: [MemberID: SaidAnswer] = [:]
    var alarms = AlarmState()
    var rolls = RollCallState()
    var urgent = UrgentState()
    var stragglers = StragglerWatch()
    var board: ReceiptState
    var isBoardStale = false
    var reading = ReadingReview()
    /// The connection of each open link.
    var connections: [LinkID: LinkConnection] = [:]
    /// Each member's last sign of life, and its distance in links.
    var signs: SignsOfLife
    /// When signs of life and receipts are next written, if they changed.
    var presenceDue = NodeClock.now + TourNode.presencePause
    /// The time by each member's clock in its newest row, and when that row arrived.
    var memberTimes: [MemberID: (milliseconds: Int64, at: Instant)] = [:]
    /// When a member's link was lost; it counts as present again only after a later sign of life.
    var lostAt: [MemberID: Instant] = [:]
    /// The store failed: no link is used before this.
    var storePausedUntil: Instant?
    /// Runs that are being verified off the loop.
    var verifying = 0
    /// Events handed to the store and not stored yet.
    var unstored = 0
    /// Whether too many of them wait to read from the links.
    var isHoldingBack = false
    var lastCompared: [LinkID: Instant] = [:]
    var intake = ControlIntake()
    /// The segments given to the machine.
    var segments: [SegmentID] = []
    private var seals: [EpochID: DatagramSeal] = [:]
    /// Rows that arrived by datagram and are checked in a moment.
    var gatheredClaims = GatheredClaims()
    /// The last counter with which we signed a claim.
    var claimCounter: UInt64 = 0
    /// Members with claims that are not on the disk yet.
    var unsavedClaims: Set<MemberID> = []
    /// Admissions being stored: the newcomer, and the invite.
    var admitting: [MemberID: SigningKey] = [:]
    /// A peer confirmed that it knows that we left.
    var isLeaveTold = false
    /// A linked peer sent us its control events: it counts us as a member, or may.
    var isRecognised = false
    /// Observers were told that there are links.
    var isLinkTold = false
    /// Resumed when we know whether we are still a member, or after the longest wait.
    var standingWaits: [CheckedContinuation<Void, Never>] = []
    /// Resumed when the tour's name arrives, or after the longest wait.
    var nameWait: CheckedContinuation<Void, Never>?
    /// Authors whose forks we have proven, or are about to prove.
    var provenForks: Set<MemberID> = []
    var isBoardScheduled = false
    var gaps = Gaps()
    var sync = TourSync()
    /// The next pass over the statuses runs at this time at the earliest.
    var boardPausedUntil = Instant(microseconds: 0)
    /// The time of last use that is on the disk, or being written.
    var savedUseAt: Int64
    private var tags: (slot: UInt64, revision: Int, values: Set<UInt64>)?
    private var credentials: (revision: Int, port: Int, list: [LinkCredential])?
    private var joinSecrets: [SigningKey: SecretBytes] = [:]
    /// The invite that we joined with, and its join secret.
    var joinedBy: (invite: SigningKey, secret: SecretBytes)?
    var epochs = EpochState()
    let files = FilesState()
    let casts = CastState()
    /// Set while this node shares its position; and the last counter with which we signed such a row.
    var sharing: Sharing?
    var positionCounter: UInt64 = 0
    /// When we noticed that the tour is over for us, in milliseconds since 1970.
    var overSince: Int64?
    var isWipingKeys = false
    /// The keys are wiped in memory, but perhaps not yet on the disk.
    var owesWipe = false
    /// Per invite the seal for joiners' questions, our answer that is about to be sent, and when a member last
    /// answered.
    var joinSeals: [SigningKey: DatagramSeal] = [:]
    var joinAnswers: [SigningKey: Scheduled<Void>] = [:]
    var answeredJoiners: [SigningKey: Instant] = [:]
    var ownJoinAnswers: [SigningKey: Instant] = [:]

    /// The roster that users were told of, and our acts that did not count in it.
    var knownRoster: Roster
    var knownVoid: Set<EventID>
    /// New members and their arrival, until users are told.
    var arrivals: [MemberID: Instant] = [:]
    /// Our ids in this tour before we joined it again.
    var formerIDs: Set<MemberID> = []
    /// Another device seems to sign rows with our key: since when, when that became certain, and when it last
    /// happened.
    var firstTwinSignAt: Instant?
    var twinHeardAt: Instant?

    init(
        record: TourRecord, keys: MemberKeys, wrapping: WrappingKeys, group: TourGroup, author: Author,
        gossip: GossipMachine, board: ReceiptState, signs: SignsOfLife
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
        recordMembers()
    }

    /// The statuses of old messages depend on who was a member when they were written.
    func recordMembers() { board.recordMembers(group.roster.members.mapValues(\.admittedAt)) }

    var own: MemberID { author.id }

    /// Whether messages may be written: the tour is not closed and we have not left.
    var isActive: Bool {
        record.active && !hasLostKey && !group.roster.isClosed && group.roster.members[own]?.isActive == true
    }

    /// Whether we have left, as our log says.
    var hasLeft: Bool { group.roster.members[own]?.hasLeft == true }

    /// Whether our membership is over: we have left, were removed, or our log forks.
    var isOut: Bool { group.roster.members[own]?.isActive == false }

    /// Whether this node belongs to the tour, closed or not.
    var isMember: Bool { record.active && !isOut && !hasLostKey }

    /// Whether to make links for this tour. A closed tour still spreads, so that everybody has all of it; so does one
    /// that we left until a peer knows that we did, since the others would count us for ever.
    var wantsLinks: Bool {
        guard !hasLostKey else { return false }
        guard let member = group.roster.members[own] else { return record.active }
        guard !member.isActive else { return true }
        // No member makes links with one that was removed.
        guard member.hasLeft, !member.isRemoved, !member.isForked else { return false }
        let sentThrough: UInt64 = board.marks[own]?.sentThrough ?? 0
        return !isLeaveTold && sentThrough < gossip.stored[own]
    }

    /// Whether the tour's name is known; until then a part of its id stands for the name.
    var isNamed: Bool { tourNameClock > .zero }

    /// Ends the waiting for the name once we hold everything that leaders are known to have written: one of them may
    /// have renamed the tour since.
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

    /// Whether we created it.
    var isOurs: Bool { own == group.roster.creator }

    /// Our own role, as JSON spells it.
    var roleWord: String { group.roster.members[own].map { group.roster.roleWord(of: $0) } ?? rank.word }

    /// Whether the creator named this member to take over.
    func ranksAsSuccessor(_ member: Member) -> Bool { member.rank == .creator && member.id != group.roster.creator }

    var isSuccessor: Bool { group.roster.members[own].map { ranksAsSuccessor($0) } ?? false }

    var rank: Rank { group.roster.rank(of: own) ?? .member }

    var linkKeys: LinkKeys { LinkKeys(identity: keys.identity, link: keys.link) }

    /// The epochs whose secrets open links, those of the heads first: half of the secrets that a hello is tried
    /// against, so that there is room for those of joiners.
    private var linkEpochs: ArraySlice<EpochKey> { group.epochKeys.prefix(Limits.credentialsMax / 2) }

    /// The credentials of links between members: one for each such epoch. Derived when keys change, since every hello
    /// needs them.
    /// - Parameter datagramPort: where we receive datagrams of these links; 0: nowhere.
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

    /// The tags that members of this tour may announce now; computed once a slot.
    func expectedTags(slot: UInt64) -> Set<UInt64> {
        let revision = group.keyring.revision
        if let tags, tags.slot == slot, tags.revision == revision { return tags.values }
        let values = linkEpochs.reduce(into: Set<UInt64>()) {
            $0.formUnion(AddressBook.tags($1.linkSecret, .member, around: slot))
        }
        tags = (slot, revision, values)
        return values
    }

    /// Forgets everything derived from epochs' keys that are wiped now.
    func forgetDerivedKeys() {
        (seals, joinSecrets, joinSeals) = ([:], [:], [:])
        (credentials, tags, joinedBy) = (nil, nil, nil)
        casts.end()
    }

    func member(of peer: LinkPeer) -> MemberID? {
        switch peer.kind {
        case .member(let member), .restricted(let member): member
        case .former, .joiner, .host: nil
        }
    }

    /// Whether the peer of a link may learn of the tour's control events.
    func maySendControls(to peer: LinkPeer) -> Bool {
        switch peer.kind {
        case .member: true
        case .restricted: hearing(of: peer) == .all
        case .former, .joiner, .host: false
        }
    }

    /// - Returns: nil for a peer whose link is not restricted.
    func hearing(of peer: LinkPeer) -> RestrictedHearing? {
        guard case .restricted(let device) = peer.kind else { return nil }
        return group.hearing(of: device, through: peer.epoch)
    }

    /// Derived once, since every datagram needs it.
    func seal(of epoch: EpochKey) -> DatagramSeal {
        if let seal = seals[epoch.id] { return seal }
        let seal = DatagramSeal(epoch)
        seals[epoch.id] = seal
        return seal
    }

    /// Opened once, since each hello is tried against it.
    func joinSecret(of invite: InviteState) -> SecretBytes? {
        if let secret = joinSecrets[invite.key] { return secret }
        let secret = group.joinSecret(of: invite) ?? (joinedBy?.invite == invite.key ? joinedBy?.secret : nil)
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

    /// Whether the member was heard of, directly or through others, in the last 30 s. False once we are out: nobody
    /// tells us any more.
    func isReachable(_ member: MemberID, now: Instant) -> Bool {
        if member == own { return true }
        if isOut { return false }
        return signs.at(member).map { now - $0 < Limits.presenceLifetime } ?? false
            || gossip.neighbours.values.contains(member)
    }

    /// Links between us and the member when it was last heard of.
    /// - Parameter linked: members to whom we have links.
    func hops(to member: MemberID, linked: Set<MemberID>) -> Int? {
        if member == own { return 0 }
        return linked.contains(member) ? 1 : signs.hops(member).map { max($0, 1) }
    }

    /// Whether the member counts as present when links are chosen.
    func isPresent(_ member: MemberID, now: Instant) -> Bool {
        Overlay.isPresent(seenAt: signs.at(member), lostAt: lostAt[member], now: now)
    }

    /// Records the names and withdrawals in an event.
    /// - Parameter archived: its plaintext, if its key is wiped.
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
            let place = RollCallState.Place(clock: header.clock, id: event.id)
            rolls.record(answer, at: place, by: header.author, leads: led(header))
        case .understood(let id): urgent.record(understood: id, by: header.author, clock: header.clock)
        // These are recorded elsewhere.
        case .text, .location, .file, .image, .meeting, .announcement, .alarm, .alarmAnswer, .rollCall, .rollEnd,
            .buddies, .shared, .unsupported:
            break
        }
    }
}

/// A withdrawal of a message; it counts if the message has the same author.
struct Withdrawal: Hashable, Sendable {
    var event: EventID
    var author: MemberID
}
