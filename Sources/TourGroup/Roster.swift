import TourCrypto
import TourModel
import TourWire

/// The members of a tour: a pure function of the *set* of its control events, whatever order they arrived in.
/// Source: `Protocol/05-events.md`, "Authority".
package struct Roster: Hashable, Sendable {
    /// All members, former ones included.
    package private(set) var members: [MemberID: Member] = [:]
    /// All invites.
    package private(set) var invites: [SigningKey: InviteState] = [:]
    private var devices = DeviceKeys()
    /// The sponsor of each member that an unranked member admitted, through any chain; then the members of each
    /// sponsor.
    private var sponsors: [MemberID: MemberID] = [:]
    private var sponsored: [MemberID: Int] = [:]
    /// Members that are gone for good, as the events state: they take no place. Set only while the roster is computed.
    private var gone: Set<MemberID> = []
    private var placesTaken = 0
    /// Whether the tour has ended.
    package private(set) var isClosed = false
    /// The events on which the roster depends: without all others it would be the same. A member can write any number
    /// of others.
    package private(set) var basis: Set<EventID> = []
    /// The founder.
    package let creator: MemberID
    /// Whether joiners get the keys of earlier epochs.
    package let fullHistory: Bool

    /// - Parameter controls: verified control events with their bodies, the genesis included, in any order.
    /// - Parameter forks: the first place at which each forked log forks, and the events that show it.
    init(
        genesis: ControlRecord, controls: some Collection<ControlRecord>, forks: ForkWatch, _ effort: Effort = Effort()
    ) {
        guard case .genesis(let body) = genesis.body else { preconditionFailure("a tour starts with its genesis") }
        creator = genesis.event.header.author
        fullHistory = body.fullHistory
        insert(
            Member(
                id: creator, identity: body.identity, linkKey: body.linkKey, wrappingKey: body.wrappingKey,
                rank: .creator, admittedAt: genesis.event.header.clock))
        basis.insert(genesis.event.id)
        let authority = Authority(founder: creator, forks: forks.places, records: controls, effort)
        basis.formUnion(authority.basis)
        gone = Set(forks.places.keys).union(authority.removed)
        for record in controls where record.body == .leave && authority.counts(record) { gone.insert(record.author) }
        // One order for all nodes; whether an event counts below never depends on its place in it.
        let ordered = controls.sorted(by: ControlRecord.precedes)
        vouch(for: Set(authority.vouched), ordered)
        let standing = ordered.filter(authority.counts)
        let leading = standing.filter { $0.isLeaders && authority.leads($0) }
        let accepted = collectInvites(leading)
        // Leaders come first: members that others admit take no place from theirs.
        admit(
            standing.filter(authority.leads), standing.filter { !authority.leads($0) }, accepted: accepted, effort)
        settle(authority, Set(forks.places.keys), standing)
        basis.formUnion(forks.evidence(of: members.keys))
        gone = []
    }

    /// The members by link key. Anybody who has seen a link key can name it in a request: the signature in the bind
    /// shows which member is there.
    package var byLinkKey: [LinkKey: Set<MemberID>] { devices.byLinkKey }

    /// Whether no member's id has this device's prefix.
    package func isNew(_ device: MemberID) -> Bool { devices.isNew(device) }

    /// Members still in the tour, the creator included.
    package var active: some Collection<Member> { members.values.filter(\.isActive) }

    /// Active members on a person's device: an archive gives no receipts and cannot be reached.
    package var people: some Collection<Member> { members.values.filter { $0.isActive && !$0.isArchive } }

    /// Active members that make links: those with a device of their own. Another member's device writes for a guest.
    package var linking: some Collection<Member> { people.lazy.filter { !$0.isGuest } }

    /// The server's active archive; of several the one with the lowest id.
    package var archive: Member? { members.values.filter { $0.isActive && $0.isArchive }.min { $0.id < $1.id } }

    /// The members whose rank lets them announce and invite.
    package var leaders: Set<MemberID> { Set(members.values.filter { $0.isActive && $0.rank.leads }.map(\.id)) }

    /// The member's newest open invite that allows any number of people, or several, and that was created to last at
    /// least this long, or as long as the tour does; an invite within its last day does not count.
    /// - Parameter lifetime: in milliseconds.
    package func standingInvite(of author: MemberID, lifetime: Int64, wallMilliseconds: Int64) -> InviteState? {
        invites.values
            .filter { invite in
                let isLasting = invite.expiresAt.map { $0 - invite.createdAt.milliseconds >= lifetime - 60_000 } ?? true
                return invite.author == author && invite.host == nil
                    && (invite.uses == 0 || invite.uses >= Limits.inviteUsesStandard)
                    && isLasting && invite.isOpen(wallMilliseconds: wallMilliseconds + 86_400_000)
            }
            .max { ($0.createdAt, $0.event) < ($1.createdAt, $1.event) }
    }

    /// A member's rank at the end of its log; nil for anybody else.
    package func rank(of member: MemberID) -> Rank? { members[member]?.rank }

    /// The last sequence that counts, of each log that ends.
    package var ends: [MemberID: UInt64] { members.compactMapValues { $0.end?.sequence } }

    /// Where the history begins that a member gets: it may lack the keys of events before this in the tour's order, and
    /// nobody owes it these. Zero where joiners get everything.
    package func historyEnd(for member: MemberID) -> LogicalClock {
        guard !fullHistory, member != creator, let admittedAt = members[member]?.admittedAt else { return .zero }
        return admittedAt
    }

    @discardableResult
    private mutating func insert(_ member: Member) -> Bool {
        guard devices.insert(member.id, member.linkKey) else { return false }
        members[member.id] = member
        if !gone.contains(member.id) { placesTaken += 1 }
        return true
    }

    /// Admits everybody to whom a role event that counts gave a rank: an acting member never depends on an invite that
    /// members below it can end.
    private mutating func vouch(for vouched: Set<MemberID>, _ ordered: [ControlRecord]) {
        guard !vouched.isEmpty else { return }
        for record in ordered {
            guard let admission = Admission(record) else { continue }
            if vouched.contains(admission.member.id), insertNew(admission.member) { basis.insert(record.event.id) }
        }
    }

    /// The first event that names an identity wins, in the order of all nodes.
    /// - Returns: whether there was room and the identity was new.
    @discardableResult
    private mutating func insertNew(_ member: Member) -> Bool {
        hasPlace(isGone: gone.contains(member.id)) && insert(member)
    }

    /// Whether one more member fits: former members take no place, but their number has a limit as well.
    private func hasPlace(isGone: Bool) -> Bool {
        members.count < Limits.membersEverMax && (isGone || placesTaken < Limits.membersMax)
    }

    /// Applies the invites and their revocations.
    /// - Returns: for each revoked invite the names of the admissions that stand.
    private mutating func collectInvites(_ leading: [ControlRecord]) -> [SigningKey: Set<EventName>] {
        for record in leading {
            guard case .invite(let body) = record.body, invites[body.key] == nil else { continue }
            basis.insert(record.event.id)
            invites[body.key] = InviteState(body, event: record.event)
        }
        var accepted = [SigningKey: Set<EventName>]()
        for record in leading {
            for revocation in record.revocations where invites[revocation.invite] != nil {
                basis.insert(record.event.id)
                invites[revocation.invite]?.isRevoked = true
                accepted[revocation.invite, default: []].formUnion(revocation.accepted)
            }
        }
        return accepted
    }

    /// Admits every device that an admitted member admitted by a sound request under an open invite.
    private mutating func admit(
        _ leading: [ControlRecord], _ others: [ControlRecord], accepted: [SigningKey: Set<EventName>],
        _ effort: Effort
    ) {
        var requests = [Admission]()
        let leaders = leading.map { Admission($0, isLeaders: true) }
        for case let admission? in leaders + others.map({ Admission($0) }) {
            guard let invite = invites[admission.request.invite], admission.fits(invite) else { continue }
            // A revocation beats admissions that its author had not seen.
            if invite.isRevoked, accepted[invite.key]?.contains(admission.record.name) != true { continue }
            requests.append(admission)
        }
        let certain = members
        let (certainDevices, certainPlaces) = (devices, placesTaken)
        while true {
            (members, devices, placesTaken) = (certain, certainDevices, certainPlaces)
            (sponsors, sponsored) = ([:], [:])
            let counted = reach(requests, effort)
            guard let excess = firstExcess(counted) else {
                for admission in counted {
                    basis.insert(admission.record.event.id)
                    invites[admission.request.invite]?.used += 1
                }
                return
            }
            invites[excess.invite]?.isOverused = true
            requests.removeAll { excess.void.contains($0.record.event.id) }
        }
    }

    /// - Returns: whether there was room, for the sponsor too, and the identity was new.
    private mutating func insert(_ admission: Admission) -> Bool {
        let author = admission.record.author
        guard admission.isLeaders || hasRoom(besides: author), insertNew(admission.member) else { return false }
        guard !admission.isLeaders else { return true }
        let sponsor = sponsors[author] ?? author
        sponsors[admission.member.id] = sponsor
        if !gone.contains(admission.member.id) { sponsored[sponsor, default: 0] += 1 }
        return true
    }

    /// Whether this unranked member may admit one more.
    private func hasRoom(besides author: MemberID) -> Bool {
        sponsored[sponsors[author] ?? author, default: 0] < Limits.sponsoredMax
    }

    /// Whether the roster has a place for one more member.
    package var hasPlace: Bool { hasPlace(isGone: false) }

    /// Whether the roster accepts a device that this member admits now.
    package func hasRoom(for author: MemberID) -> Bool {
        hasPlace && (members[author]?.rank.leads == true || hasRoom(besides: author))
    }

    /// Follows admissions outward from the members that need none until it reaches nobody new.
    private mutating func reach(_ requests: [Admission], _ effort: Effort) -> [Admission] {
        var counted = [Admission]()
        // A member that a leader vouches for uses its invite up all the same, once.
        var owing = Set(members.keys).subtracting([creator])
        var rounds = AdmissionRounds(requests, members: members.keys)
        effort.spend(requests.count)
        while let admission = rounds.next() {
            effort.spend()
            if insert(admission) {
                counted.append(admission)
                rounds.open(admission.member.id)
            } else if owing.remove(admission.member.id) != nil {
                counted.append(admission)
            }
        }
        return counted
    }

    /// The admissions beyond an invite's number of uses, for the first invite that has any: those with the highest
    /// H(invite, admitting device), which a joiner cannot choose.
    private func firstExcess(_ counted: [Admission]) -> (invite: SigningKey, void: Set<EventID>)? {
        let byInvite = Dictionary(grouping: counted, by: \.request.invite)
        let exceeded = byInvite.filter { key, uses in
            invites[key].map { $0.uses > 0 && uses.count > $0.uses } ?? false
        }
        guard let first = exceeded.min(by: { $0.key < $1.key }), let invite = invites[first.key] else { return nil }
        let ranked = first.value.map { (lot: $0.lot, id: $0.record.event.id) }.sorted { $0 < $1 }
        return (first.key, Set(ranked[invite.uses...].map(\.id)))
    }

    /// Records ranks, ends of logs, members that left, and whether the tour is over.
    private mutating func settle(_ authority: Authority, _ forked: Set<MemberID>, _ standing: [ControlRecord]) {
        for id in authority.vouched {
            let steps = authority.steps(of: id)
            members[id]?.steps = steps
            members[id]?.rank = steps.last?.rank ?? .member
            members[id]?.roles = authority.lastRoles(of: id)
        }
        for (id, end) in authority.ends { members[id]?.end = end }
        for id in authority.removed { members[id]?.isRemoved = true }
        for id in forked { members[id]?.isForked = true }
        for record in standing {
            switch record.body {
            case .leave where members[record.author]?.hasLeft == false: members[record.author]?.hasLeft = true
            case .close where !isClosed && authority.level(of: record) >= .successor: isClosed = true
            default: continue
            }
            basis.insert(record.event.id)
        }
    }
}

extension ControlRecord {
    /// Whether only a leader may write this.
    fileprivate var isLeaders: Bool {
        if case .invite = body { true } else { !revocations.isEmpty }
    }

    /// The invites that it ends, and the admissions under them that stand.
    fileprivate var revocations: [(invite: SigningKey, accepted: [EventName])] {
        switch body {
        case .revoke(let invite, let accepted): [(invite, accepted)]
        case .remove(let remove): remove.revoked.map { ($0, remove.accepted) }
        default: []
        }
    }
}
