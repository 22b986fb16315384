import TourCrypto
import TourModel
import TourWire

/// One tour: its control events, the roster computed from them, and the keys of its epochs.
/// Source: `Protocol/05-events.md`.
///
/// Pure: events arrive, and are verified here, in any order and any number of times; the roster depends on the set
/// alone. Events of later kinds have no effect here, and only their logs carry them: if this set held them, every
/// joiner would get them, and a member can write any number and length of them.
package struct TourGroup: Sendable {
    /// The tour's id.
    package let tour: TourID
    let genesis: ControlRecord
    var controls: [EventID: ControlRecord]
    /// Control events whose author is not known yet, about `waitingMax`, tried again when more authors are known.
    var waiting: [EventID: RawEvent] = [:]
    /// Acts that need a rank, by authors to whom nobody gave one.
    var unranked = UnrankedActs()
    /// The keys of all devices that a held control event admits, whether it counts or not: which events are held must
    /// not depend on who was a member when they arrived.
    var identities: [MemberID: SigningKey] = [:]
    /// Kept keys of epochs whose events are not known here.
    var unproven: [EpochID: EpochKey] = [:]
    var forkWatch = ForkWatch()
    /// The bytes held of each author that count against its share.
    var shares = ControlShares()
    /// Events dropped since the shell last asked: the shell must drop them too.
    var dropped: Set<EventID> = []
    /// The events that showed forks when the roster was computed.
    private var rosterForks: Set<EventID> = []
    /// Whether events arrived that may change the roster.
    var isRosterStale = false
    /// The roster computed from the events held.
    package private(set) var roster: Roster
    /// The highest cost of one addition here.
    package private(set) var costliest = Judgement(steps: 0, held: 1)
    /// The epochs and their keys.
    package internal(set) var keyring: EpochKeyring

    /// More than any burst of joins leaves unexplained at one time.
    package static let waitingMax = 1_024
    /// The most bytes of their bodies: the largest alone would be 64 MiB.
    package static let waitingBytesMax = 4 * 1024 * 1024

    private static let joinSecretBytes = 32
    /// The most needless wrapping keys held of one member: more than a day's.
    private static let wrappingKeysKeptMax = 16

    /// - Throws: `GroupFault.badGenesis`.
    package init(genesis bytes: [UInt8]) throws(GroupFault) {
        genesis = try ControlRecord(genesis: bytes)
        tour = TourID(genesis: bytes)
        controls = [genesis.event.id: genesis]
        unranked.rank(genesis.author)
        let nobodyForks = ForkWatch()
        roster = Roster(genesis: genesis, controls: [genesis], forks: nobodyForks)
        keyring = EpochKeyring([genesis].compactMap(Epoch.init), KeyHolders(roster, [genesis]))
        if case .genesis(let body) = genesis.body { identities[genesis.author] = body.identity }
    }

    /// The genesis.
    package var genesisEvent: Event { genesis.event }

    /// The number of control events held.
    package var controlCount: Int { controls.count }

    /// The exact bytes of a held control event.
    package func control(_ id: EventID) -> [UInt8]? { controls[id]?.event.bytes }

    /// Adds control events in exact bytes, from any source.
    /// - Returns: those that were new and are sound now, earlier waiting ones included.
    package mutating func add(controls bytes: some Collection<[UInt8]>) -> [Event] {
        add(verified: [], controls: bytes)
    }

    /// Adds the control events of verified runs, and others in exact bytes. Pass everything that arrived since the last
    /// call: each call recomputes the roster from all events held.
    /// - Returns: those that were new and are sound now, earlier waiting ones included.
    package mutating func add(
        verified events: some Collection<Event>, controls bytes: some Collection<[UInt8]> = [[UInt8]]()
    ) -> [Event] {
        var added = [Event]()
        for event in events where event.header.eventClass == .control && controls[event.id] == nil {
            guard let record = try? ControlRecord(verified: event), record.body != .unknown else { continue }
            waiting[event.id] = nil
            if accept(record) { added.append(event) }
        }
        let effort = Effort()
        let fresh = hold(bytes)
        added += settle(effort)
        // Unexplained older events make room for new ones, so that rubbish never shuts out the rest.
        if isWaitingFull { waiting = waiting.filter { fresh.contains($0.key) } }
        guard !added.isEmpty else { return [] }
        refresh(effort)
        // An event that was dropped at once is no news: passed on, it would circulate for ever.
        return added.filter { controls[$0.id] != nil }
    }

    private var isWaitingFull: Bool {
        waiting.count > Self.waitingMax || waiting.values.reduce(0) { $0 + $1.body.count } > Self.waitingBytesMax
    }

    /// Keeps control events until their authors are known.
    /// - Returns: the ids of those that are new here.
    private mutating func hold(_ events: some Collection<[UInt8]>) -> Set<EventID> {
        var fresh = Set<EventID>()
        for event in events {
            guard let raw = try? RawEvent(decoding: event), raw.header.tour == tour,
                raw.header.eventClass == .control, let body = try? ControlBody(decoding: raw.body), body != .unknown,
                // The id covers the header only: another body must not replace the one that waits under it.
                EventCrypto.bodyHash(raw.body) == raw.header.bodyHash
            else { continue }
            let id = EventCrypto.id(headerBytes: event[..<EventHeader.length], signature: raw.signature)
            guard controls[id] == nil else { continue }
            waiting[id] = raw
            fresh.insert(id)
        }
        return fresh
    }

    /// Verifies waiting events for as long as that introduces new authors or gives ranks.
    private mutating func settle(_ effort: Effort) -> [Event] {
        var added = [Event]()
        var unrankedActs = [EventID: RawEvent]()
        var grew = true
        while grew, !waiting.isEmpty {
            grew = false
            // Outward from known authors: each author introduced on the way gets its turn, since events may depend on
            // one another backwards.
            effort.spend(waiting.count)
            var open = Dictionary(grouping: waiting.keys) { waiting[$0]?.header.author ?? genesis.author }
            var known = open.keys.filter { identities[$0] != nil }
            while let author = known.popLast() {
                guard let identity = identities[author] else { continue }
                for id in open.removeValue(forKey: author) ?? [] {
                    effort.spend()
                    guard let raw = waiting.removeValue(forKey: id) else { continue }
                    // Its signature matters only once its author has a rank.
                    guard !unranked.isOne(raw) else {
                        unrankedActs[id] = raw
                        continue
                    }
                    guard
                        let run = try? VerifiedRun(header: raw.header, bytes: raw.encode(), identity: identity),
                        let record = try? ControlRecord(verified: run.events[0]), accept(record)
                    else { continue }
                    added.append(record.event)
                    known += [record.admitted].compactMap { $0 }
                    grew = true
                }
            }
            for (id, raw) in unrankedActs where unranked.ranked.contains(raw.header.author) {
                unrankedActs[id] = nil
                waiting[id] = raw
                grew = true
            }
        }
        unranked.keep(unrankedActs)
        return added.sorted(by: Event.precedes)
    }

    /// - Returns: false for an event in the genesis's own place, beyond its author's share, or that needs a rank which
    ///   nobody gave its author.
    mutating func accept(_ record: ControlRecord) -> Bool {
        let header = record.event.header
        guard header.author != genesis.author || header.sequence > 1, !shares.refuses(record),
            !unranked.keepsOut(record)
        else { return false }
        controls[record.event.id] = record
        shares.add(record)
        if !record.isOfKeys { isRosterStale = true }
        forkWatch.add(record, tour: tour)
        if case .admit(let request) = record.body, let device = record.admitted {
            identities[device] = request.identity
        }
        if case .role(let role) = record.body, role.rank.leads {
            for (id, raw) in unranked.rank(role.member) where controls[id] == nil { waiting[id] = raw }
        }
        return true
    }

    private mutating func refresh(_ effort: Effort) {
        dropExcess(effort)
        let forks = forkWatch.evidence(of: forkWatch.places.keys)
        // Epochs and their keys do not change the membership, and they outnumber all else; unless one place was written
        // twice.
        if isRosterStale || forks != rosterForks {
            isRosterStale = false
            rosterForks = forks
            roster = Roster(
                genesis: genesis, controls: controls.values.filter { !$0.isOfKeys }, forks: forkWatch, effort)
        }
        followEpochs()
        if dropNeedless(effort) { followEpochs() }
        if effort.steps > costliest.steps { costliest = Judgement(steps: effort.steps, held: controls.count) }
        proveKept()
        dropWrappingKeys()
    }

    private mutating func followEpochs() {
        keyring.update(controls.values.compactMap(Epoch.init), KeyHolders(roster, controls.values))
    }

    /// Drops needless wrapping keys, except for the newest of each member: a member can write any number of them, and
    /// each adds to the cost of every roster. They remain in their author's log, and arrive again if an epoch names
    /// them.
    private mutating func dropWrappingKeys() {
        let published = controls.values.filter { if case .wrappingKey = $0.body { true } else { false } }
        for written in Dictionary(grouping: published, by: \.author).values
        where written.count > Self.wrappingKeysKeptMax {
            let ordered = written.sorted {
                ($1.event.header.sequence, $1.event.id) < ($0.event.header.sequence, $0.event.id)
            }
            for record in ordered[Self.wrappingKeysKeptMax...]
            where keyring.isSuperseded(record) && !roster.basis.contains(record.event.id) {
                controls[record.event.id] = nil
            }
        }
    }

    /// Whether this member's last removal comes after its last code in its log.
    package func owesInvite(_ own: MemberID) -> Bool {
        var (removal, code) = (UInt64(0), UInt64(0))
        for record in controls.values where record.author == own {
            let sequence = record.event.header.sequence
            if case .remove = record.body { removal = max(removal, sequence) }
            if record.isCode { code = max(code, sequence) }
        }
        return removal > code
    }

    /// The names of the control events, for a link to compare; needless wrapping keys are left out. Beyond
    /// `Limits.controlIndexMax` events the index lists those on which the roster and the epochs depend and then the
    /// newest in the tour's order, so that it fits one message; a peer then sends some that we hold.
    package var controlIndex: [EventName] {
        let named = controls.values.filter { !isNeedless($0) }
        guard named.count > Limits.controlIndexMax else { return named.map(\.name) }
        return sorted(named) { Event.precedes($1, $0) }.prefix(Limits.controlIndexMax).map(\.name)
    }

    /// The control events that a peer with this index lacks, without the genesis: those on which the roster and the
    /// epochs depend in the tour's order, so that an author is known before its events, then the others likewise.
    package func controls(missingFrom index: [EventName]) -> [[UInt8]] {
        let known = Set(index)
        let missing = controls.values
            .filter { $0.event.id != genesis.event.id && !known.contains($0.name) }
            .filter { !isNeedless($0) }
        return sorted(missing, by: Event.precedes).map(\.event.bytes)
    }

    /// The events that a joiner needs: those on which the roster and the epochs depend, and the admissions that
    /// introduce their authors, without the genesis, in the tour's order. The others arrive on the joiner's later
    /// links.
    package var welcome: [[UInt8]] {
        let basis = controls.values.filter(isBasis)
        let founder: Set<MemberID> = [genesis.author]
        let known = founder.union(Introductions(from: founder, basis).places.keys)
        var told = Set(basis.map(\.event.id))
        // A member with a given rank is a member by the first admission that names it, whoever wrote that, and its
        // events may count though its own admission does not.
        let strangers = basis.filter { !known.contains($0.author) }
        if !strangers.isEmpty { told.formUnion(Introductions(from: known, controls.values).explained(strangers)) }
        return told.compactMap { controls[$0]?.event }
            .filter { $0.id != genesis.event.id }
            .sorted(by: Event.precedes)
            .map(\.bytes)
    }

    /// Whether it is a needless wrapping key that shows no fork.
    private func isNeedless(_ record: ControlRecord) -> Bool {
        keyring.isSuperseded(record) && !roster.basis.contains(record.event.id)
    }

    func isBasis(_ record: ControlRecord) -> Bool {
        roster.basis.contains(record.event.id) || keyring.rests(on: record)
    }

    /// Events on which something depends first, each part in this order.
    private func sorted(_ records: [ControlRecord], by order: (Event, Event) -> Bool) -> [ControlRecord] {
        // Each event is classified once: sorting compares it many times.
        var basis = [ControlRecord]()
        var others = [ControlRecord]()
        for record in records {
            if isBasis(record) { basis.append(record) } else { others.append(record) }
        }
        return basis.sorted { order($0.event, $1.event) } + others.sorted { order($0.event, $1.event) }
    }

    /// Opens and checks a sealed event.
    /// - Parameter beyondCut: also accepts an event that does not count: only for its author.
    /// - Parameter archived: what `plaintext` returned for it while its key was held.
    /// - Throws: `GroupFault` of scope record.
    package func open(
        _ event: Event, beyondCut: Bool = false, archived: [UInt8]? = nil
    ) throws(GroupFault) -> Content {
        let header = event.header
        guard let author = roster.members[header.author] else { throw .unknownAuthor }
        guard beyondCut || author.reaches(header.sequence, event.id) else { throw .beyondCut }
        let plaintext = if let archived { archived } else { try plaintext(of: event) }
        guard let content = try? Content(decoding: plaintext) else { throw .badContent }
        if let expected = content.eventClass, expected != header.eventClass { throw .badContent }
        switch content {
        case .announcement, .meeting, .tourInfo, .shared, .rollCall, .rollEnd, .buddies, .quiet:
            guard author.rank(at: header.sequence).leads else { throw .notAllowed }
        // The lost member may also answer that it was found: the alarm's author knows whether it has everybody.
        case .alarmAnswer(let answer) where answer.word != .found:
            guard author.rank(at: header.sequence).leads else { throw .notAllowed }
        case .text, .location, .file, .image, .withdrawal, .profile, .meetingAnswer, .alarm, .alarmAnswer,
            .rollAnswer, .understood, .seat, .seatHost, .aside, .unsupported:
            break
        }
        return content
    }

    /// Whether this node holds the key that sealed an event.
    package func opens(_ event: Event) -> Bool { keyring.key(of: event.header.epoch) != nil }

    /// The plaintext of a sealed event, whether or not it counts.
    /// - Throws: `GroupFault.unknownEpoch` or `badSeal`.
    package func plaintext(of event: Event) throws(GroupFault) -> [UInt8] {
        guard let epoch = keyring.key(of: event.header.epoch) else { throw .unknownEpoch }
        let prefix = event.headerBytes.prefix(EventHeader.sealedPrefixLength)
        let key = epoch.bodyKey(author: event.header.author)
        do { return try Seal.open(event.body, key: key, associatedData: prefix) } catch { throw .badSeal }
    }

    /// The join secret of an invite, for members that hold its epoch's key; nil also when the sealed bytes are no PSK
    /// of a link.
    package func joinSecret(of invite: InviteState) -> SecretBytes? {
        guard invite.host == nil, let epoch = keyring.key(of: invite.epoch) else { return nil }
        let key = Hash.keyed(epoch.key, .inviteSeal, invite.key.bytes)
        guard let secret = try? Seal.open(invite.sealedSecret, key: key, associatedData: invite.key.bytes),
            secret.count == Self.joinSecretBytes
        else { return nil }
        return SecretBytes(secret)
    }

    /// The body of an event for a new invite.
    package func inviteBody(
        _ secret: InviteSecret, uses: UInt32, expiresAt: Int64?, under epoch: EpochKey
    ) -> ControlBody {
        let key = secret.invitePair.publicKey
        let sealingKey = Hash.keyed(epoch.key, .inviteSeal, key.bytes)
        return .invite(
            ControlBody.Invite(
                key: key, uses: uses, expiresAt: UInt64(clamping: expiresAt ?? 0),
                sealedSecret: Seal.seal(
                    secret.joinSecret.exposedCopy(), key: sealingKey, associatedData: key.bytes),
                epoch: epoch.id))
    }

    /// A control event for the place at which its author's log holds this other one; nil where both are control events,
    /// which show a fork on their own.
    package func rival(of event: Event) -> Event? {
        guard event.header.eventClass != .control else { return nil }
        return forkWatch.seen(by: event.header.author, at: event.header.sequence).lazy
            .compactMap { controls[$0]?.event }.first
    }

    /// The last place of a member's log that a control event shows, even behind a gap; 0: none.
    package func shownTail(of member: MemberID) -> UInt64 {
        controls.values.lazy.filter { $0.author == member }.map(\.event.header.sequence).max() ?? 0
    }

    /// The changes of rank among these events that affect the present ranks: a member can write any number of others.
    package func ranks(in events: [Event]) -> [ControlBody.Role] {
        events.compactMap { event in
            guard roster.basis.contains(event.id), case .role(let role)? = controls[event.id]?.body,
                role.sequence < .max
            else { return nil }
            return role
        }
    }
}
