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
            isArchive: request.isArchive(of: record.event.header.tour))
    }

    /// H("roster", invite, admitting device).
    var lot: Bytes32 { Hash.of(.roster, request.invite.bytes, record.author.bytes) }
}
