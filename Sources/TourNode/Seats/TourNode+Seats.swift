import TourCrypto
import TourModel

// Guests' seats, as the owner and the door for guests use them. Source: `Protocol/15-seats.md`.
extension TourNode {
    // MARK: - The owner

    /// The seats that this device gives.
    package func seats(_ tour: String?) throws -> SeatsView { throw NodeError.seat(.off) }

    /// Begins to give seats in a tour, or ends that; one tour at a time.
    /// - Parameter max: the most guests; nil: as before, or `SeatLimits.seatsStandard`.
    package func setSeats(on: Bool, max: Int?, in tour: String?) async throws -> SeatsView {
        throw NodeError.seat(.off)
    }

    /// Makes a new pass; the old one lets nobody in any more.
    package func renewSeatPass(uses: Int?, seconds: Int64?, in tour: String?) async throws -> SeatsView {
        throw NodeError.seat(.off)
    }

    /// A guide lets a member give seats, or ends that together with the member's guests.
    package func allowSeats(of member: String, _ isAllowed: Bool, in tour: String?) async throws -> SeatsView {
        throw NodeError.seat(.off)
    }

    /// The door for guests listens here, or no longer does.
    /// - Parameter port: nil: it does not.
    package func seatDoorOpened(port: Int?) {}

    /// Whether the door for guests is to be open: called by the door, again and again.
    package var wantsSeatDoor: Bool { false }

    // MARK: - The door

    /// The channel key, whose public half is in the QR code.
    package func seatChannelKey() throws -> LinkKeyPair { throw NodeError.seat(.off) }

    /// What a phone learns before it is in.
    package func seatDoor() -> SeatDoorView { SeatDoorView(tour: "", host: "", entry: .off) }

    /// Whether this is the pass of the code shown now, for the hotspot's own page; nil: nothing is shown.
    package func seatEntry() -> [UInt8]? { nil }

    /// Lets a guest in.
    /// - Parameter secret: the phone's, `SeatKeys.secretBytes` bytes. One that was used before leads to the same seat.
    package func enterSeat(pass: [UInt8], name: String, secret: [UInt8]) async throws -> SeatStanding {
        throw NodeError.seat(.off)
    }

    /// A guest's phone is back, or comes from another host.
    /// - Parameters:
    ///   - head: where the log stands as the phone knows; it may have been confirmed without an answer.
    ///   - tail: events of the log, in order, that nobody else may have.
    /// - Throws: `behind` while a part of the log is missing here.
    package func resumeSeat(
        member: String, secret: [UInt8], head: SeatHead, tail: [[UInt8]]
    ) async throws -> SeatStanding { throw NodeError.seat(.off) }

    /// Makes the event of an act without storing it. One that was prepared before and not confirmed is forgotten.
    package func prepare(_ act: SeatAct, for seat: SeatTicket) async throws -> PreparedEvent {
        throw NodeError.seat(.off)
    }

    /// Stores and sends what was prepared; returns when it is on the disk. Confirmed again, it only answers.
    package func confirm(_ id: String, for seat: SeatTicket) async throws -> SeatHead { throw NodeError.seat(.off) }

    /// Messages around a place, with `mine` of the guest's own.
    package func seatMessages(
        _ place: MessageWindow.Place, count: Int, for seat: SeatTicket
    ) async throws -> [MessageView] { throw NodeError.seat(.off) }

    /// Everything beside the messages.
    package func seatPicture(for seat: SeatTicket) throws -> SeatPicture { throw NodeError.seat(.off) }

    /// Begins to collect news for a phone; ended by `endFollower`.
    package func followSeat(_ seat: SeatTicket) throws -> FollowerID { throw NodeError.seat(.off) }

    /// Waits for news.
    /// - Returns: nil when the reader is over.
    package func seatNews(_ follower: FollowerID, for seat: SeatTicket) async throws -> SeatNews? {
        throw NodeError.seat(.off)
    }

    /// The phone has everything up to this mark.
    package func seatGot(_ mark: UInt64, for seat: SeatTicket) {}

    /// The guest saw every message up to this one.
    package func seatRead(through id: String, for seat: SeatTicket) async throws {}

    /// Up to which place another member has the seat's log.
    package func seatHeld(_ seat: SeatTicket) -> UInt64 { 0 }

    /// The phone is away.
    package func releaseSeat(_ seat: SeatTicket) {}
}
