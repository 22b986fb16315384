import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

/// One tour on this node: machines, keys, links and what is shown of it. Belongs to the node's actor.
final class TourSession {
    let tour: TourID
    /// Hands the machine its inputs.
    let runner: EffectRunner
    var record: TourRecord {
        didSet { syncUse() }
    }

    var names = NameState()
    /// With whom guests are, and who lets them in.
    var seatBook = SeatBook()
    var withdrawals: Set<Withdrawal> = []
    /// Each member's last answer about a meeting.
    var answers: [MemberID: SaidAnswer] = [:]
    var announced = Announced()
    var stragglers = StragglerWatch()
    var reading = ReadingReview()
    /// The connection of each open link.
    var connections: [LinkID: LinkConnection] = [:]
    /// When signs of life and receipts are next written, if they changed.
    var presenceDue = NodeClock.now + TourNode.presencePause
    /// The segments given to the machine.
    var segments: [SegmentID] = []
    private var seals: [EpochID: DatagramSeal] = [:]
    /// Members with claims that are not on the disk yet.
    var unsavedClaims: Set<MemberID> = []
    /// A peer confirmed that it knows that we left.
    var isLeaveTold = false
    /// Observers were told that there are links.
    var hasSentLink = false
    var gaps = Gaps()
    let sync: TourSync
    /// The time of last use that is on the disk, or being written.
    var savedUseAt: Int64
    private var tags: (slot: UInt64, revision: Int, values: Set<UInt64>)?
    private var credentials: (revision: Int, port: Int, list: [LinkCredential])?
    /// Writers that wait for a key to seal under.
    var keyWaits: [CheckedContinuation<Void, Never>] = []
    var epochChoice = EpochChoice()
    /// The node that has this tour; nil before it has it, and once the node is gone.
    weak var node: TourNode?
    private(set) lazy var files = TourFiles(
        host: LiveFilesHost(session: self), rng: SplitMix64(seed: .random(in: 0 ... .max)))
    let sharing: TourSharing
    var horizon = KeyHorizon()
    /// Whether the user wants those to be answered who ask to be let in.
    var isAnsweringAskers = true
    let joiners: TourJoiners

    /// The roster that users were told of, and our acts that did not count in it.
    var knownRoster: Roster
    var knownVoid: Set<EventID>
    /// New members and their arrival, until users are told.
    var arrivals: [MemberID: Instant] = [:]
    /// Our ids in this tour before we joined it again.
    var formerIDs: Set<MemberID> = []

    init(record: TourRecord, machine: TourMachine) {
        tour = machine.tour
        sync = TourSync(tour: machine.tour)
        joiners = TourJoiners(tour: machine.tour)
        sharing = TourSharing(tour: machine.tour)
        self.record = record
        savedUseAt = record.usedAt
        runner = EffectRunner(machine)
        knownRoster = machine.group.roster
        knownVoid = Set(machine.group.voidActs(of: machine.own).map(\.event.id))
        syncUse()
    }

    /// Decides what happens in the tour.
    var machine: TourMachine { runner.machine }

    private func syncUse() {
        machine.use.isJoined = record.active
        machine.use.usedAt = record.usedAt
    }

    // Read in place: a copy of a machine takes longer than most of what it is asked.
    var group: TourGroup { _read { yield machine.group } }
    var gossip: GossipMachine { _read { yield machine.gossip } }
    var keys: MemberKeys { machine.keys }

    var own: MemberID { machine.own }
    var isActive: Bool { machine.isActive }
    var hasLeft: Bool { machine.hasLeft }
    var isOut: Bool { machine.isOut }
    var isMember: Bool { machine.isMember }
    var rank: Rank { machine.rank }
    /// The time for events that we write, in milliseconds since 1970.
    var wallMilliseconds: Int64 { machine.wallMilliseconds(at: NodeClock.reading) }

    /// Whether an event is less than a day old.
    func isRecent(_ clock: LogicalClock, of author: MemberID, isAlarm: Bool = false) -> Bool {
        machine.isRecent(clock, of: author, isAlarm: isAlarm, at: NodeClock.reading)
    }

    /// Whether to make links for this tour. A closed tour still spreads, so that everybody has all of it; so does one
    /// that we left until a peer knows that we did, since the others would count us for ever.
    var wantsLinks: Bool {
        guard !machine.hasLostKey else { return false }
        guard let member = group.roster.members[own] else { return record.active }
        guard !member.isActive else { return true }
        // No member makes links with one that was removed.
        guard member.hasLeft, !member.isRemoved, !member.isForked else { return false }
        let sentThrough: UInt64 = machine.receipts.state.marks[own]?.sentThrough ?? 0
        return !isLeaveTold && sentThrough < gossip.stored[own]
    }

    /// Whether the tour's name is known; until then a part of its id stands for the name.
    var isNamed: Bool { names.tourNameClock > .zero }

    /// Ends the waiting for the name once we hold everything that leaders are known to have written: one of them may
    /// have renamed the tour since.
    func reviewNameWait() {
        guard joiners.awaitsName else { return }
        if isNamed, !group.roster.leaders.contains(where: gossip.lacks) { joiners.endNameWait() }
    }

    /// Whether we created it.
    var isOurs: Bool { own == group.roster.creator }

    /// Our own role, as JSON spells it.
    var roleWord: String { group.roster.members[own].map { group.roster.roleWord(of: $0) } ?? rank.word }

    /// Whether the creator named this member to take over.
    func ranksAsSuccessor(_ member: Member) -> Bool { member.rank == .creator && member.id != group.roster.creator }

    var isSuccessor: Bool { group.roster.members[own].map { ranksAsSuccessor($0) } ?? false }

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
        (seals, credentials, tags) = ([:], nil, nil)
        joiners.forgetSecrets()
        files.casts.end()
    }

    func member(of peer: LinkPeer) -> MemberID? {
        switch peer.kind {
        case .member(let member), .restricted(let member): member
        case .former, .joiner, .host: nil
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

    func joinSecret(of invite: InviteState) -> SecretBytes? {
        joiners.secret(of: invite) { group.joinSecret(of: $0) }
    }

    /// The invites whose holders we answer.
    /// - Parameter count: how many other credentials we answer already.
    func answeredInvites(beside count: Int, wallMilliseconds: Int64) -> [InviteState] {
        group.roster.answeredInvites(beside: count, wallMilliseconds: wallMilliseconds)
    }

    /// - Parameter guest: the guest of this node who looks; nil: its own member.
    func view(_ store: TourStore, as guest: MemberID? = nil) -> TourView {
        TourView(
            store: store, group: group, names: names, withdrawals: withdrawals, receipts: machine.receipts.state,
            asides: asides, quiet: quiet, own: guest ?? own, formerIDs: guest == nil ? formerIDs : [],
            synced: sync.known, files: files.progress)
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

    /// Whether the member was heard of, directly or through others, in the last 30 s.
    /// The members with a device of their own that have no link to this node.
    var unlinked: [MemberID] { group.roster.linking.map(\.id).filter { $0 != own && connection(to: $0) == nil } }

    func isReachable(_ member: MemberID, now: Instant) -> Bool { machine.isReachable(member, now: now) }

    /// Links between us and the member when it was last heard of.
    /// - Parameter linked: members to whom we have links.
    func hops(to member: MemberID, linked: Set<MemberID>) -> Int? {
        if member == own { return 0 }
        return linked.contains(member) ? 1 : machine.presence.signs.hops(member).map { max($0, 1) }
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
            names.set(name, of: header.author, at: header.clock)
        case .tourInfo(let name):
            if names.recordTourName(at: header.clock) { record.name = name }
        case .withdrawal(let id):
            withdrawals.insert(Withdrawal(event: id, author: header.author))
            alarms.withdraw(id, by: header.author)
            asides.alarms.withdraw(id, by: header.author)
            rolls.withdraw(id, by: header.author)
            urgent.withdraw(id, by: header.author)
        case .meetingAnswer(let answer):
            let said = SaidAnswer(answer: answer, clock: header.clock)
            if answers[header.author].map({ $0.clock <= header.clock }) ?? true { answers[header.author] = said }
        case .rollAnswer(let answer):
            let place = RollCallState.Place(clock: header.clock, id: event.id)
            rolls.record(answer, at: place, by: header.author, leads: led(header))
        case .understood(let id): urgent.record(understood: id, by: header.author, clock: header.clock)
        case .seat(let record): seatBook.record(record, header)
        case .seatHost(let host): seatBook.record(host, header)
        // These are recorded elsewhere.
        case .text, .location, .file, .image, .meeting, .announcement, .alarm, .alarmAnswer, .rollCall, .rollEnd,
            .buddies, .shared, .aside, .quiet, .unsupported:
            break
        }
    }
}

/// A withdrawal of a message; it counts if the message has the same author.
struct Withdrawal: Hashable, Sendable {
    var event: EventID
    var author: MemberID
}
