import TourCrypto
import TourGroup
import TourModel
import TourWire
import TourWords

/// The node's note about a tour: joins and leaves, and what happened to our own membership. It is no message: it is
/// neither stored nor sent. Shape: `Protocol/Schema/local-api.yaml`.
package struct TourNote: Encodable, Sendable {
    /// The kind of change.
    package enum Kind: String, Encodable, Sendable {
        case joined, left, removed, back, role, closed
        /// Two devices wrote with one key.
        case forked = "key-forked"
        /// An act of ours no longer counts.
        case void
        /// A member has been out of reach for longer than the user allows.
        case straggler
    }

    package var kind: Kind
    /// The member concerned; nil: all.
    @Nullable package var memberID: String?
    /// Whether it concerns us.
    package var me: Bool
    package var text: Phrase
    /// The state of the tour for us now.
    package var state: TourState

    init(_ kind: Kind, _ member: MemberID?, isOwn: Bool, _ text: Phrase, _ state: TourState) {
        self.kind = kind
        memberID = member?.hex
        me = isOwn
        self.text = text
        self.state = state
    }
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
            before.id == own ? ownNote(before) : note(before)
        }
        if roster.isClosed, !old.isClosed {
            let text = Phrase("“\(tourName)” is closed: nothing can be written.")
            notes.append(TourNote(.closed, nil, isOwn: false, text, state))
        }
        return notes
    }

    private func ownNote(_ before: Member) -> TourNote? {
        func note(_ kind: TourNote.Kind, _ text: Phrase) -> TourNote { TourNote(kind, own, isOwn: true, text, state) }
        guard let now = group.roster.members[own] else {
            guard before.isActive else { return nil }
            return note(
                .removed,
                Phrase("You are out of “\(tourName)”: the code by which you came was void. Ask for a new one."))
        }
        if before.isActive, now.isForked {
            return note(
                .forked,
                Phrase("Another device writes in “\(tourName)” with a copy of your key: join again with a code."))
        }
        if before.isActive, now.isRemoved {
            guard let author = group.remover(of: own).map(name) else {
                return note(.removed, Phrase("You were removed from “\(tourName)”. Ask a guide for a new code."))
            }
            return note(
                .removed, Phrase("You were removed from “\(tourName)” by \(author). Ask a guide for a new code."))
        }
        if !before.isActive, now.isActive {
            return note(.back, Phrase("You are in “\(tourName)” again: your removal does not count any more."))
        }
        guard now.isActive, now.rank != before.rank else { return nil }
        return note(.role, Phrase("Your role is \(roleWord(now)) now."))
    }

    private func note(_ before: Member) -> TourNote? {
        let called = name(before.id)
        func note(_ kind: TourNote.Kind, _ text: Phrase) -> TourNote {
            TourNote(kind, before.id, isOwn: false, text, state)
        }
        guard let now = group.roster.members[before.id] else {
            guard before.isActive else { return nil }
            return note(.removed, Phrase("\(called) is out: the code by which it came was void."))
        }
        if before.isActive, now.isForked {
            return note(
                .forked, Phrase("\(called) is out: two devices wrote with its key. It has to join again with a code."))
        }
        if before.isActive, now.isRemoved {
            guard let author = group.remover(of: now.id) else {
                return note(.removed, Phrase("\(called) was removed."))
            }
            return note(
                .removed,
                author == own
                    ? Phrase("\(called) was removed by you.") : Phrase("\(called) was removed by \(name(author))."))
        }
        if before.isActive, now.hasLeft { return note(.left, Phrase("\(called) has left.")) }
        if !before.isActive, now.isActive {
            return note(.back, Phrase("\(called) is in again: its removal does not count any more."))
        }
        guard now.isActive, now.rank != before.rank else { return nil }
        return note(.role, Phrase("The role of \(called) is \(roleWord(now)) now."))
    }

    private func roleWord(_ member: Member) -> Phrase {
        member.rank == .creator && member.id != group.roster.creator ? Phrase("successor") : member.rank.phrase
    }

    /// The words about an act of ours that does not count; nil when that makes no difference to anybody.
    func words(of act: TourGroup.VoidAct) -> Phrase? {
        switch act.body {
        case .remove(let remove):
            guard group.roster.members[remove.member]?.isActive == true else { return nil }
            return Phrase(
                """
                Your removal of \(name(remove.member)) does not count, and it is still in: at the same time somebody \
                above you changed your place in the tour.
                """)
        case .role(let role):
            guard let member = group.roster.members[role.member], member.isActive, member.rank != role.rank else {
                return nil
            }
            return Phrase(
                """
                The role \(role.rank.phrase) that you gave \(name(role.member)) does not count: at the same time \
                somebody above you changed your place in the tour.
                """)
        case .invite:
            return Phrase(
                """
                A code that you made lets nobody in: at the same time somebody above you changed your place in the \
                tour.
                """)
        default: return nil
        }
    }

    /// The words about our acts of the last day that do not count.
    package func voidWords(wallMilliseconds: Int64) -> [Phrase] {
        group.voidActs(of: own)
            .filter { wallMilliseconds - $0.event.header.clock.milliseconds < Self.voidShownMilliseconds }
            .compactMap(words)
    }

    private static let voidShownMilliseconds: Int64 = 86_400_000
}
