import TourCrypto
import TourGroup
import TourModel
import TourWire

/// One tour, as the giving of seats sees it.
package struct SeatFacts {
    /// Our member.
    package var own: MemberID
    /// What our member is called.
    package var ownName: String
    /// What the tour is called.
    package var tourName: String
    /// Whether anything may be written in it.
    package var isActive: Bool
    /// The members and licences.
    package var roster: Roster
    /// What the logs say of guests.
    package var book: SeatBook
    /// The names that members chose.
    package var names: NameState
    /// Milliseconds since 1970, by the tour.
    package var wallMilliseconds: Int64
    /// The last clock that we wrote or saw.
    package var clock: LogicalClock

    package init(
        own: MemberID, ownName: String, tourName: String, isActive: Bool, roster: Roster, book: SeatBook,
        names: NameState, wallMilliseconds: Int64, clock: LogicalClock
    ) {
        self.own = own
        self.ownName = ownName
        self.tourName = tourName
        self.isActive = isActive
        self.roster = roster
        self.book = book
        self.names = names
        self.wallMilliseconds = wallMilliseconds
        self.clock = clock
    }

    /// Whether its guide ended it, and we were in it until then.
    var isEnded: Bool { roster.isClosed && roster.members[own]?.isActive == true }

    /// The guests who are with a member. Anybody may write that it is a guest: the roster knows who is.
    func guests(with host: MemberID) -> [MemberID] {
        book.guests(with: host).filter { roster.members[$0].map { $0.isGuest && $0.isActive } ?? false }
    }

    /// The guest of this node whose phone has this secret.
    func guest(with phone: SecretBytes, in tour: TourID) -> MemberID? {
        guests(with: own).first { opens($0, phone, tour) }
    }

    /// The guest of any device who was removed and whose phone has this secret.
    func removedGuest(with phone: SecretBytes, in tour: TourID) -> MemberID? {
        roster.members.values.first { $0.isGuest && $0.isRemoved && opens($0.id, phone, tour) }?.id
    }

    private func opens(_ member: MemberID, _ phone: SecretBytes, _ tour: TourID) -> Bool {
        guard let keys = book.record(of: member)?.keys else { return false }
        return (try? SeatKeys.open(keys, under: phone, tour: tour, member: member)) != nil
    }

    /// Whether a licence of this node was not ended.
    func stands(_ licence: SigningKey) -> Bool { roster.openLicences(of: own).contains(licence) }

    /// A licence of this node with a use left.
    /// - Parameters:
    ///   - entering: how many guests are being let in.
    ///   - key: returns the key of an epoch that is here.
    func licence(besides entering: Int, _ key: (EpochID) -> EpochKey?) -> SeatLicence? {
        for invite in roster.licences(of: own, wallMilliseconds: wallMilliseconds)
        where invite.uses == 0 || invite.used + entering < invite.uses {
            if let licence = key(invite.epoch).flatMap({ SeatLicence(invite, under: $0) }) { return licence }
        }
        return nil
    }

    /// Where else phones may go on.
    var otherHosts: [SeatHostView] {
        roster.active.compactMap { member in
            guard member.id != own, let door = door(of: member.id) else { return nil }
            return SeatHostView(
                member: member.id.hex, name: names[member.id] ?? "", key: door.key.hex, addresses: door.addresses)
        }.sorted { ($0.name, $0.key) < ($1.name, $1.key) }
    }

    /// The members, in hexadecimal digits, who gave seats and do not, or may not, any more. Of others who are not among
    /// `otherHosts` this node has not heard yet: phones that know them from elsewhere keep them.
    var formerHosts: [String] {
        let former = book.toldOf.filter { $0 != own && door(of: $0) == nil }
        return former.filter { roster.members[$0]?.isGuest == false }.map(\.hex).sorted()
    }

    /// Where a member who may give seats does so.
    private func door(of member: MemberID) -> (key: LinkKey, addresses: [String])? {
        roster.mayGiveSeats(member, wallMilliseconds: wallMilliseconds) ? book.door(of: member) : nil
    }
}
