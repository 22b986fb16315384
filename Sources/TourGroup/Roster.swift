import TourCrypto
import TourModel
import TourWire

/// Who is in a tour: a pure function of the *set* of its control events, whatever order they came in.
/// Source: `Protocol/05-events.md`, "Authority".
package struct Roster: Hashable, Sendable {
    package private(set) var members: [MemberID: Member] = [:]
    package private(set) var invites: [SigningKey: InviteState] = [:]
    private var devices = DeviceKeys()
    /// Who vouches, in the end, for those whom somebody without a rank let in; and for how many.
    private var sponsors: [MemberID: MemberID] = [:]
    private var sponsored: [MemberID: Int] = [:]
    /// Who has gone for good, as the events say: such a member takes no place. Known while the roster is worked out.
    private var gone: Set<MemberID> = []
    private var placesTaken = 0
    package private(set) var isClosed = false
    /// The events that the roster rests on: it would be the same without all others. A member can write as many of
    /// those as it likes.
    package private(set) var basis: Set<EventID> = []
    package let creator: MemberID
    package let fullHistory: Bool

    /// - Parameter controls: verified control events with their bodies, the genesis among them, in any order.
    /// - Parameter forks: the first place at which each forked log forks, and what shows it.
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
        // One order for all nodes; what counts below never depends on where in it an event stands.
        let ordered = controls.sorted(by: ControlRecord.precedes)
        vouch(for: Set(authority.vouched), ordered)
        let standing = ordered.filter(authority.counts)
        let leading = standing.filter { $0.isLeaders && authority.leads($0) }
        let accepted = collectInvites(leading)
        // Those who lead have the first word: what others let in takes no place from whom they let in.
        admit(
            standing.filter(authority.leads), standing.filter { !authority.leads($0) }, accepted: accepted, effort)
        settle(authority, Set(forks.places.keys), standing)
        basis.formUnion(forks.evidence(of: members.keys))
        gone = []
    }

    /// Whoever has seen a link key can name it in a request: the signature in the bind says who of these is there.
    package var byLinkKey: [LinkKey: Set<MemberID>] { devices.byLinkKey }

    /// Whether no member's id begins as this device's does.
    package func isNew(_ device: MemberID) -> Bool { devices.isNew(device) }

    /// Members who are still in, the creator included.
    package var active: some Collection<Member> { members.values.filter(\.isActive) }

    /// Active members that are somebody's device: an archive gives no receipts, and is in nobody's reach.
    package var people: some Collection<Member> { members.values.filter { $0.isActive && !$0.isArchive } }

    /// The server's archive that is in; of several the lowest id.
    package var archive: Member? { members.values.filter { $0.isActive && $0.isArchive }.min { $0.id < $1.id } }

    /// Those whose rank lets them announce and invite.
    package var leaders: Set<MemberID> { Set(members.values.filter { $0.isActive && $0.rank.leads }.map(\.id)) }

    /// The member's newest open invite that is for any number of people, or for several, and that was made to be good
    /// for this long at least, or for as long as the tour lasts; its last day it is as good as over.
    /// - Parameter lifetime: in milliseconds.
    package func standingInvite(of author: MemberID, lifetime: Int64, wallMilliseconds: Int64) -> InviteState? {
        invites.values
            .filter { invite in
                let isLasting = invite.expiresAt.map { $0 - invite.createdAt.milliseconds >= lifetime - 60_000 } ?? true
                return invite.author == author && (invite.uses == 0 || invite.uses >= Limits.inviteUsesStandard)
                    && isLasting && invite.isOpen(wallMilliseconds: wallMilliseconds + 86_400_000)
            }
            .max { ($0.createdAt, $0.event) < ($1.createdAt, $1.event) }
    }

    package func rank(of member: MemberID) -> Rank? { members[member]?.rank }

    /// The last that counts, of the logs that end.
    package var ends: [MemberID: UInt64] { members.compactMapValues { $0.end?.sequence } }

    /// Where the history begins that a member is given: what stands before it in the tour's order it may lack the keys
    /// of, and nobody owes it. Zero where joiners are given all.
    package func historyEnd(for member: MemberID) -> LogicalClock {
        guard !fullHistory, member != creator, let admittedAt = members[member]?.admittedAt else { return .zero }
        return admittedAt
    }

    @discardableResult
    private mutating func insert(_ member: Member) -> Bool {
        guard devices.take(member.id, member.linkKey) else { return false }
        members[member.id] = member
        if !gone.contains(member.id) { placesTaken += 1 }
        return true
    }

    /// Those to whom somebody gave a rank are members on that word: whoever acts never hangs on an invite that those
    /// below it can end.
    private mutating func vouch(for vouched: Set<MemberID>, _ ordered: [ControlRecord]) {
        guard !vouched.isEmpty else { return }
        for record in ordered {
            guard let admission = Admission(record) else { continue }
            if vouched.contains(admission.member.id), insertNew(admission.member) { basis.insert(record.event.id) }
        }
    }

    /// The first event that names an identity, in the order of all nodes, wins.
    /// - Returns: whether there was room and the identity was new.
    @discardableResult
    private mutating func insertNew(_ member: Member) -> Bool {
        hasPlace(isGone: gone.contains(member.id)) && insert(member)
    }

    /// Whether one more is taken: who has gone needs no place, and there is an end to these as well.
    private func hasPlace(isGone: Bool) -> Bool {
        members.count < Limits.membersEverMax && (isGone || placesTaken < Limits.membersMax)
    }

    /// Takes the invites and their revocations.
    /// - Returns: of each invite that is revoked the admissions that stand, by their names.
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

    /// Lets in everybody whom an admitted member admitted by a sound request under an open invite.
    private mutating func admit(
        _ leading: [ControlRecord], _ others: [ControlRecord], accepted: [SigningKey: Set<EventName>],
        _ effort: Effort
    ) {
        var requests = [Admission]()
        let leaders = leading.map { Admission($0, isLeaders: true) }
        for case let admission? in leaders + others.map({ Admission($0) }) {
            guard let invite = invites[admission.request.invite] else { continue }
            // A revocation beats what its author had not seen.
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

    /// - Returns: whether there was room, also for those of one sponsor, and the identity was new.
    private mutating func insert(_ admission: Admission) -> Bool {
        let author = admission.record.author
        guard admission.isLeaders || hasRoom(besides: author), insertNew(admission.member) else { return false }
        guard !admission.isLeaders else { return true }
        let sponsor = sponsors[author] ?? author
        sponsors[admission.member.id] = sponsor
        if !gone.contains(admission.member.id) { sponsored[sponsor, default: 0] += 1 }
        return true
    }

    /// Whether one more is taken of those whom this member, who has no rank, lets in.
    private func hasRoom(besides author: MemberID) -> Bool {
        sponsored[sponsors[author] ?? author, default: 0] < Limits.sponsoredMax
    }

    /// Whether the roster has a place for one more.
    package var hasPlace: Bool { hasPlace(isGone: false) }

    /// Whether the roster takes somebody whom this member lets in now.
    package func hasRoom(for author: MemberID) -> Bool {
        hasPlace && (members[author]?.rank.leads == true || hasRoom(besides: author))
    }

    /// Follows admissions outward from those who are members without one until nobody new is reached.
    private mutating func reach(_ requests: [Admission], _ effort: Effort) -> [Admission] {
        var counted = [Admission]()
        // Whoever is a member on a leader's word uses its invite up all the same, once.
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

    /// Writes down who ranks how, whose log ends where, who left, and whether the tour is over.
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
    /// Whether it takes somebody who leads to say this.
    fileprivate var isLeaders: Bool {
        if case .invite = body { true } else { !revocations.isEmpty }
    }

    /// The invites that it ends, and the admissions under them that it lets stand.
    fileprivate var revocations: [(invite: SigningKey, accepted: [EventName])] {
        switch body {
        case .revoke(let invite, let accepted): [(invite, accepted)]
        case .remove(let remove): remove.revoked.map { ($0, remove.accepted) }
        default: []
        }
    }
}
