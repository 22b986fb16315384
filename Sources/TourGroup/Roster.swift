import TourCrypto
import TourModel
import TourWire

/// One device in one tour, as the control events say. Source: `Protocol/05-events.md`, "Roster".
package struct Member: Hashable, Sendable {
    package let id: MemberID
    package let identity: SigningKey
    package let linkKey: LinkKey
    package let wrappingKey: WrappingKey
    package let rank: Rank
    /// The clock of the event that let the member in.
    package let admittedAt: LogicalClock
    package fileprivate(set) var hasLeft = false
}

/// An invite as the roster sees it.
package struct InviteState: Hashable, Sendable {
    package let key: SigningKey
    package let event: EventID
    package let author: MemberID
    /// The clock of the event that made it.
    package let createdAt: LogicalClock
    package let epoch: EpochID
    package let sealedSecret: [UInt8]
    /// 0: any number.
    package let uses: Int
    /// Milliseconds since 1970; nil: when the tour ends.
    package let expiresAt: Int64?
    package fileprivate(set) var used = 0
    package fileprivate(set) var isRevoked = false

    package var isUsedUp: Bool { uses > 0 && used >= uses }

    /// Whether the invite lets somebody in at this wall time. Expiry is advisory: clocks differ.
    package func isOpen(wallMilliseconds: Int64) -> Bool {
        !isRevoked && !isUsedUp && (expiresAt ?? .max) > wallMilliseconds
    }
}

/// Who is in a tour: a pure function of the *set* of its control events, whatever order they came in.
/// Source: `Protocol/05-events.md`, "Authority".
package struct Roster: Hashable, Sendable {
    package private(set) var members: [MemberID: Member] = [:]
    package private(set) var invites: [SigningKey: InviteState] = [:]
    package private(set) var byLinkKey: [LinkKey: MemberID] = [:]
    package private(set) var isClosed = false
    /// The events that the roster rests on: it would be the same without all others. A member can write as many of
    /// those as it likes.
    package private(set) var basis: Set<EventID> = []
    package let creator: MemberID
    package let fullHistory: Bool

    /// - Parameter controls: verified control events with their bodies, the genesis among them, in any order.
    init(genesis: ControlRecord, controls: some Collection<ControlRecord>) {
        guard case .genesis(let body) = genesis.body else { preconditionFailure("a tour starts with its genesis") }
        creator = genesis.event.header.author
        fullHistory = body.fullHistory
        insert(
            Member(
                id: creator, identity: body.identity, linkKey: body.linkKey, wrappingKey: body.wrappingKey,
                rank: .creator, admittedAt: genesis.event.header.clock))
        basis.insert(genesis.event.id)
        // One order for all nodes; what counts below never depends on where in it an event stands.
        let ordered = controls.sorted(by: ControlRecord.precedes)
        collectInvites(ordered)
        admit(ordered)
        for record in ordered {
            switch record.body {
            case .leave where members[record.author]?.hasLeft == false: members[record.author]?.hasLeft = true
            case .close where record.author == creator && !isClosed: isClosed = true
            default: continue
            }
            basis.insert(record.event.id)
        }
    }

    /// Members who are still in, the creator included.
    package var active: some Collection<Member> { members.values.filter { !$0.hasLeft } }

    /// Those whose rank lets them announce and invite.
    package var leaders: Set<MemberID> { Set(members.values.filter(\.rank.leads).map(\.id)) }

    /// The member's newest invite that lets in any number of people for as long as the tour lasts.
    package func unlimitedInvite(of author: MemberID) -> InviteState? {
        invites.values.filter { $0.author == author && !$0.isRevoked && $0.uses == 0 && $0.expiresAt == nil }
            .max { ($0.createdAt, $0.event) < ($1.createdAt, $1.event) }
    }

    package func rank(of member: MemberID) -> Rank? { members[member]?.rank }

    private mutating func insert(_ member: Member) {
        members[member.id] = member
        byLinkKey[member.linkKey] = member.id
    }

    /// Invites and their revocations; both ask for a leading rank, which only the creator has so far.
    private mutating func collectInvites(_ ordered: [ControlRecord]) {
        for record in ordered where record.author == creator {
            guard case .invite(let body) = record.body, invites[body.key] == nil else { continue }
            basis.insert(record.event.id)
            invites[body.key] = InviteState(
                key: body.key, event: record.event.id, author: record.author,
                createdAt: record.event.header.clock, epoch: body.epoch, sealedSecret: body.sealedSecret,
                uses: Int(body.uses), expiresAt: body.expiresAt == 0 ? nil : Int64(clamping: body.expiresAt))
        }
        for record in ordered where record.author == creator {
            guard case .revoke(let key, _) = record.body, invites[key] != nil else { continue }
            basis.insert(record.event.id)
            invites[key]?.isRevoked = true
        }
    }

    /// Lets in everybody whom an admitted member admitted by a sound request under an open invite.
    private mutating func admit(_ ordered: [ControlRecord]) {
        var void = Set<EventID>()
        var requests = [Admission]()
        let accepted = acceptedByRevokers(ordered)
        for record in ordered {
            guard case .admit(let request) = record.body, let invite = invites[request.invite] else { continue }
            let admission = Admission(record: record, request: request)
            // A revocation beats what its author had not seen.
            if invite.isRevoked, accepted[invite.key]?.contains(admission.key) != true { continue }
            requests.append(admission)
        }
        let founder = members
        while true {
            members = founder
            byLinkKey = Dictionary(uniqueKeysWithValues: founder.values.map { ($0.linkKey, $0.id) })
            let counted = reach(requests.filter { !void.contains($0.record.event.id) })
            guard let excess = firstExcess(counted) else {
                for admission in counted {
                    basis.insert(admission.record.event.id)
                    invites[admission.request.invite]?.used += 1
                }
                return
            }
            void.formUnion(excess)
        }
    }

    /// Follows admissions outward from the creator until nobody new is reached.
    private mutating func reach(_ requests: [Admission]) -> [Admission] {
        var counted = [Admission]()
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
                let member = admission.member
                // A device's keys belong to one device; the first event that names them, in the order of all nodes,
                // wins.
                guard members[member.id] == nil, byLinkKey[member.linkKey] == nil,
                    members.count < Limits.membersMax
                else { continue }
                insert(member)
                counted.append(admission)
                grew = true
            }
            waiting = later
        }
        return counted
    }

    /// The admissions beyond an invite's number of uses, for the first invite that has any: those with the highest
    /// H(invite, admitting device), which a joiner cannot choose.
    private func firstExcess(_ counted: [Admission]) -> Set<EventID>? {
        for invite in invites.values.sorted(by: { $0.key < $1.key }) where invite.uses > 0 {
            let uses = counted.filter { $0.request.invite == invite.key }
            guard uses.count > invite.uses else { continue }
            let ranked = uses.sorted { ($0.lot, $0.record.event.id) < ($1.lot, $1.record.event.id) }
            return Set(ranked[invite.uses...].map(\.record.event.id))
        }
        return nil
    }

    private func acceptedByRevokers(_ ordered: [ControlRecord]) -> [SigningKey: Set<[UInt8]>] {
        var accepted = [SigningKey: Set<[UInt8]>]()
        for record in ordered where record.author == creator {
            if case .revoke(let key, let admits) = record.body { accepted[key, default: []].formUnion(admits) }
        }
        return accepted
    }
}

/// One admit event taken apart.
private struct Admission {
    let record: ControlRecord
    let request: JoinRequest

    /// How a revocation names it: the first 16 bytes of its id.
    var key: [UInt8] { Array(record.event.id.bytes.prefix(16)) }

    /// H("roster", invite, admitting device).
    var lot: Bytes32 { Hash.of(.roster, request.invite.bytes, record.author.bytes) }

    var member: Member {
        Member(
            id: MemberID(identity: request.identity), identity: request.identity, linkKey: request.linkKey,
            wrappingKey: request.wrappingKey, rank: .member, admittedAt: record.event.header.clock)
    }
}
