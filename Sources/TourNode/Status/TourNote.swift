import TourAPI
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// The node's note about a tour: joins and leaves, and what happened to our own membership. It is no message: it is
/// neither stored nor sent. Its words are in `TourPresentation`.
package struct TourNote: Equatable, Sendable {
    /// The kind of change.
    package enum Kind: String, Encodable, Sendable {
        case joined, left, removed, back, role, closed
        /// Two devices wrote with one key.
        case forked = "key-forked"
        /// An act of ours no longer counts.
        case void
        /// A member has been out of reach for longer than the user allows.
        case straggler
        /// Somebody else's meeting point, or roll call, took the place of ours.
        case overtaken
    }

    /// What happened.
    package var change: TourChange
    /// The member concerned; nil: all.
    package var member: MemberID?
    /// Whether it concerns us.
    package var isOwn: Bool
    /// The state of the tour for us now.
    package var state: TourState

    /// The kind of change.
    package var kind: Kind { change.kind }

    init(_ change: TourChange, _ member: MemberID?, isOwn: Bool, _ state: TourState) {
        self.change = change
        self.member = member
        self.isOwn = isOwn
        self.state = state
    }
}

/// What a note is about. Members and tours are given by name.
package enum TourChange: Hashable, Sendable {
    /// Somebody joined; so many did; the server's archive did.
    case joined(String), manyJoined(Int), archiveJoined
    /// A member left; somebody removed one, or we did; its invite was void; two devices wrote with its key.
    case left(String), removed(String, by: String?), removedByUs(String), cameByVoidCode(String), forked(String)
    /// A member's removal does not count any more.
    case back(String)
    /// A member's role changed.
    case role(String, RoleName)
    /// We were removed from a tour; our invite was void; another device writes with our key.
    case ownRemoval(String, by: String?), ownVoidCode(String), ownFork(String)
    /// Our removal from a tour does not count any more.
    case ownReturn(String)
    /// Our role changed.
    case ownRole(RoleName)
    /// The tour was closed.
    case closed(String)
    /// An act of ours does not count.
    case voided(VoidedAct)
    /// A member, or so many of them, were out of reach for so many minutes.
    case straggler(String, minutes: Int, lastPlace: Coordinates?), stragglers(Int, minutes: Int)

    /// Somebody's meeting point counts in place of ours; somebody called first, so our roll call is part of theirs.
    case otherMeeting(by: String, String, insteadOf: String), otherRoll(by: String, String, insteadOf: String)

    /// A role as people know it.
    package enum RoleName: Hashable, Sendable {
        /// A rank.
        case rank(Rank)
        /// Who ranks as creator beside the creator.
        case successor
    }

    /// Where a member was last, in decimal degrees.
    package struct Coordinates: Hashable, Sendable {
        /// Degrees from the equator, and from Greenwich.
        package var latitude, longitude: Double
    }

    var kind: TourNote.Kind {
        switch self {
        case .joined, .manyJoined, .archiveJoined: .joined
        case .left: .left
        case .removed, .removedByUs, .cameByVoidCode, .ownRemoval, .ownVoidCode: .removed
        case .forked, .ownFork: .forked
        case .back, .ownReturn: .back
        case .role, .ownRole: .role
        case .closed: .closed
        case .voided: .void
        case .straggler, .stragglers: .straggler
        case .otherMeeting, .otherRoll: .overtaken
        }
    }
}

/// An act of ours that does not count, since somebody above us changed our place in the tour at the same time.
package enum VoidedAct: Hashable, Sendable {
    /// The removal of a member, who is still in.
    case removal(String)
    /// A role that we gave to a member.
    case role(Rank, String)
    /// An invite, whose code lets nobody in.
    case invite
}

/// The differences of two successive rosters of a tour, as notes for users.
package struct RosterNews {
    let group: TourGroup
    let own: MemberID
    let tourName: String
    let state: TourState
    let name: (MemberID) -> String

    /// - Parameter name: gives a member's name.
    package init(
        group: TourGroup, own: MemberID, tourName: String, state: TourState, name: @escaping (MemberID) -> String
    ) {
        self.group = group
        self.own = own
        self.tourName = tourName
        self.state = state
        self.name = name
    }

    /// Members that are new in the roster; their names arrive a moment later.
    package func arrivals(since old: Roster) -> [MemberID] {
        group.roster.active.map(\.id).filter { $0 != own && old.members[$0] == nil }
    }

    /// All notes but those on arrivals, ascending by member.
    package func notes(since old: Roster) -> [TourNote] {
        let roster = group.roster
        var notes = old.members.values.sorted { $0.id < $1.id }.compactMap { before -> TourNote? in
            let isOwn = before.id == own
            let change = isOwn ? ownChange(before) : change(of: before)
            return change.map { TourNote($0, before.id, isOwn: isOwn, state) }
        }
        if roster.isClosed, !old.isClosed { notes.append(TourNote(.closed(tourName), nil, isOwn: false, state)) }
        return notes
    }

    private func ownChange(_ before: Member) -> TourChange? {
        guard let now = group.roster.members[own] else { return before.isActive ? .ownVoidCode(tourName) : nil }
        if before.isActive, now.isForked { return .ownFork(tourName) }
        if before.isActive, now.isRemoved { return .ownRemoval(tourName, by: group.remover(of: own).map(name)) }
        if !before.isActive, now.isActive { return .ownReturn(tourName) }
        guard now.isActive, now.rank != before.rank else { return nil }
        return .ownRole(role(of: now))
    }

    private func change(of before: Member) -> TourChange? {
        let called = name(before.id)
        guard let now = group.roster.members[before.id] else { return before.isActive ? .cameByVoidCode(called) : nil }
        if before.isActive, now.isForked { return .forked(called) }
        if before.isActive, now.isRemoved {
            let remover = group.remover(of: now.id)
            return remover == own ? .removedByUs(called) : .removed(called, by: remover.map(name))
        }
        if before.isActive, now.hasLeft { return .left(called) }
        if !before.isActive, now.isActive { return .back(called) }
        guard now.isActive, now.rank != before.rank else { return nil }
        return .role(called, role(of: now))
    }

    private func role(of member: Member) -> TourChange.RoleName {
        member.rank == .creator && member.id != group.roster.creator ? .successor : .rank(member.rank)
    }

    /// An act of ours that does not count; nil when that makes no difference to anybody.
    func voided(_ act: TourGroup.VoidAct) -> VoidedAct? {
        switch act.body {
        case .remove(let remove):
            guard group.roster.members[remove.member]?.isActive == true else { return nil }
            return .removal(name(remove.member))
        case .role(let role):
            guard let member = group.roster.members[role.member], member.isActive, member.rank != role.rank else {
                return nil
            }
            return .role(role.rank, name(role.member))
        case .invite: return .invite
        default: return nil
        }
    }

    /// Our acts of the last day that do not count.
    package func voidedActs(wallMilliseconds: Int64) -> [VoidedAct] {
        group.voidActs(of: own)
            .filter { wallMilliseconds - $0.event.header.clock.milliseconds < Self.voidShownMilliseconds }
            .compactMap(voided)
    }

    private static let voidShownMilliseconds: Int64 = 86_400_000
}
