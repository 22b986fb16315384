import TourCrypto
import TourModel
import TourWire

/// One admit event with its parts decoded.
struct Admission {
    let record: ControlRecord
    let request: JoinRequest
    /// The member that it admits.
    let member: Member
    /// Whether its author had a leading rank at that place in its log.
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
            isArchive: request.isArchive(of: record.event.header.tour),
            admittedBySeatHost: request.seatHost(of: record.event.header.tour))
    }

    /// Whether this kind of request counts under this invite: a seat's under a licence of the member who admits it, any
    /// other one under a code. Source: `Protocol/15-seats.md`, "Licence".
    func fits(_ invite: InviteState) -> Bool {
        guard let host = invite.host else { return !member.isGuest }
        return host == record.author && member.admittedBySeatHost == host
    }

    /// H("roster", invite, admitting device).
    var lot: Bytes32 { Hash.of(.roster, request.invite.bytes, record.author.bytes) }
}
