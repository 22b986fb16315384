import TourAPI
import TourGroup
import TourModel

extension GuestHost {
    /// The device with which a guest is.
    /// - Returns: nil for a member with a device of its own.
    init?(of member: MemberID, in session: TourSession, _ view: TourView) {
        guard let first = session.group.roster.members[member]?.admittedBySeatHost else { return nil }
        // Until the guest's own log is here, the admission says who let it in.
        let host = session.seatBook.host(of: member) ?? first
        self.init(memberID: host.hex, name: view.distinctName(of: host))
    }
}

/// The guests who would go with each member, were it removed.
struct GuestsByHost {
    private let session: TourSession
    private let guests: [Member]

    init(in session: TourSession) {
        self.session = session
        guests = session.group.roster.active.filter(\.isGuest)
    }

    /// Those whom the member let in, and those whose key it ever knew.
    func goingWith(_ host: MemberID) -> [MemberID] {
        guard !guests.isEmpty else { return [] }
        let known = session.seatBook.everWith(host)
        return guests.filter { $0.admittedBySeatHost == host || known.contains($0.id) }.map(\.id).sorted()
    }
}
