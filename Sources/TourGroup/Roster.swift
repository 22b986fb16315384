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
    package private(set) var isClosed = false
    /// The events that the roster rests on: it would be the same without all others. A member can write as many of
    /// those as it likes.
    package private(set) var basis: Set<EventID> = []
    package let creator: MemberID
    package let fullHistory: Bool

    /// - Parameter controls: verified control events with their bodies, the genesis among them, in any order.
    /// - Parameter forks: the first place at which each forked log forks, and what shows it.
    init(genesis: ControlRecord, controls: some Collection<ControlRecord>, forks: ForkWatch) {
        guard case .genesis(let body) = genesis.body else { preconditionFailure("a tour starts with its genesis") }
        creator = genesis.event.header.author
        fullHistory = body.fullHistory
        insert(
            Member(
                id: creator, identity: body.identity, linkKey: body.linkKey, wrappingKey: body.wrappingKey,
                rank: .creator, admittedAt: genesis.event.header.clock))
        basis.insert(genesis.event.id)
        let authority = Authority(founder: creator, forks: forks.places, records: controls)
        basis.formUnion(authority.basis)
        // One order for all nodes; what counts below never depends on where in it an event stands.
        let ordered = controls.sorted(by: ControlRecord.precedes)
        vouch(for: Set(authority.vouched), ordered)
        let standing = ordered.filter(authority.counts)
        let leading = standing.filter { $0.isLeaders && authority.leads($0) }
        let accepted = collectInvites(leading)
        // Those who lead have the first word: what others let in takes no place from whom they let in.
        admit(standing.filter(authority.leads), standing.filter { !authority.leads($0) }, accepted: accepted)
        settle(authority, Set(forks.places.keys), standing)
        basis.formUnion(forks.evidence(of: members.keys))
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

    /// The member's newest invite that lets in any number of people for as long as the tour lasts.
    package func unlimitedInvite(of author: MemberID) -> InviteState? {
        invites.values.filter { $0.author == author && !$0.isRevoked && $0.uses == 0 && $0.expiresAt == nil }
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
        members.count < Limits.membersMax && insert(member)
    }

    /// Takes the invites and their revocations.
    /// - Returns: of each invite that is revoked the admissions that stand, by the first 16 bytes of their ids.
    private mutating func collectInvites(_ leading: [ControlRecord]) -> [SigningKey: Set<[UInt8]>] {
        for record in leading {
            guard case .invite(let body) = record.body, invites[body.key] == nil else { continue }
            basis.insert(record.event.id)
            invites[body.key] = InviteState(body, event: record.event)
        }
        var accepted = [SigningKey: Set<[UInt8]>]()
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
        _ leading: [ControlRecord], _ others: [ControlRecord], accepted: [SigningKey: Set<[UInt8]>]
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
        let certainDevices = devices
        while true {
            members = certain
            devices = certainDevices
            (sponsors, sponsored) = ([:], [:])
            let counted = reach(requests)
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
        sponsored[sponsor, default: 0] += 1
        return true
    }

    /// Whether one more is taken of those whom this member, who has no rank, lets in.
    private func hasRoom(besides author: MemberID) -> Bool {
        sponsored[sponsors[author] ?? author, default: 0] < Limits.sponsoredMax
    }

    /// Whether the roster takes somebody whom this member lets in now.
    package func hasRoom(for author: MemberID) -> Bool {
        members.count < Limits.membersMax && (members[author]?.rank.leads == true || hasRoom(besides: author))
    }

    /// Follows admissions outward from those who are members without one until nobody new is reached.
    private mutating func reach(_ requests: [Admission]) -> [Admission] {
        var counted = [Admission]()
        // Whoever is a member on a leader's word uses its invite up all the same, once.
        var owing = Set(members.keys).subtracting([creator])
        var waiting = requests
        var grew = true
        while grew {
            grew = false
            var later = [Admission]()
            for admission in waiting {
                guard members[admission.record.author] != nil else {
                    later.append(admission)
                    continue
                }
                if insert(admission) {
                    counted.append(admission)
                    grew = true
                } else if owing.remove(admission.member.id) != nil {
                    counted.append(admission)
                }
            }
            waiting = later
        }
        return counted
    }

    /// The admissions beyond an invite's number of uses, for the first invite that has any: those with the highest
    /// H(invite, admitting device), which a joiner cannot choose.
    private func firstExcess(_ counted: [Admission]) -> (invite: SigningKey, void: Set<EventID>)? {
        for invite in invites.values.sorted(by: { $0.key < $1.key }) where invite.uses > 0 {
            let uses = counted.filter { $0.request.invite == invite.key }
            guard uses.count > invite.uses else { continue }
            let ranked = uses.sorted { ($0.lot, $0.record.event.id) < ($1.lot, $1.record.event.id) }
            return (invite.key, Set(ranked[invite.uses...].map(\.record.event.id)))
        }
        return nil
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

/// One admit event taken apart.
private struct Admission {
    let record: ControlRecord
    let request: JoinRequest
    /// Whom it lets in.
    let member: Member
    /// Whether its author led there.
    let isLeaders: Bool

    /// - Returns: nil for another kind of event.
    init?(_ record: ControlRecord, isLeaders: Bool = false) {
        guard case .admit(let request) = record.body, let device = record.admitted else { return nil }
        self.record = record
        self.request = request
        self.isLeaders = isLeaders
        member = Member(
            id: device, identity: request.identity, linkKey: request.linkKey, wrappingKey: request.wrappingKey,
            rank: .member, admittedAt: record.event.header.clock,
            isArchive: request.isArchive(of: record.event.header.tour))
    }

    /// H("roster", invite, admitting device).
    var lot: Bytes32 { Hash.of(.roster, request.invite.bytes, record.author.bytes) }
}

extension ControlRecord {
    /// Whether it takes somebody who leads to say this.
    fileprivate var isLeaders: Bool {
        if case .invite = body { true } else { !revocations.isEmpty }
    }

    /// The invites that it ends, and the admissions under them that it lets stand.
    fileprivate var revocations: [(invite: SigningKey, accepted: [[UInt8]])] {
        switch body {
        case .revoke(let invite, let accepted): [(invite, accepted)]
        case .remove(let remove): remove.revoked.map { ($0, remove.accepted) }
        default: []
        }
    }
}
