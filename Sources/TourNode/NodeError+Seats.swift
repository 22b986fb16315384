// Faults of guests' seats.
extension NodeError {
    /// Why a request of a guest, or about guests, fails. Source: `Protocol/15-seats.md`, "What a guest can do".
    package enum SeatFault: Hashable, Sendable {
        /// This device gives no seats now.
        case off
        /// As many guests as its owner allows.
        case full
        /// Not the pass of the code that this device shows.
        case badPass
        /// The pass let in as many as it may.
        case passUsedUp
        /// The pass is over.
        case passExpired
        /// Not the digits beside the code that this device shows.
        case wrongDigits
        /// Too many wrong digits were typed: none let anybody in any more, but the code does.
        case digitsSpent
        /// No guest of the tour has this id.
        case unknownSeat
        /// The phone's secret is not that of the seat.
        case wrongSecret
        /// The seat has ended: left, forked, or out of a tour that its host left.
        case over
        /// The tour has ended, and with it the time in which guests may read it.
        case ended
        /// The guest was removed.
        case removed(by: String?)
        /// Another device has taken the guest over, or what was confirmed is not what was prepared last.
        case moved
        /// The phone has to show its secret again.
        case gone
        /// This device lacks a part of the guest's log.
        case behind
        /// Too much at once: to be asked again after so many seconds.
        case slowDown(Int)
        /// This device may not give seats: a guide must allow it.
        case notAllowed
        /// Something that no guest may do.
        case notForGuests
        /// A number of seats, uses or seconds out of bounds.
        case badTerms
        /// No picture of this id came whole.
        case unknownUpload

        var code: String {
            switch self {
            case .off: "seats-off"
            case .full: "full"
            case .badPass: "bad-pass"
            case .passUsedUp: "pass-used-up"
            case .passExpired: "pass-expired"
            case .wrongDigits: "wrong-digits"
            case .digitsSpent: "digits-spent"
            case .unknownSeat: "unknown-seat"
            case .wrongSecret: "wrong-secret"
            case .over: "over"
            case .ended: "tour-ended"
            case .removed: "removed"
            case .moved: "moved"
            case .gone: "no-seat"
            case .behind: "behind"
            case .slowDown: "slow-down"
            case .notAllowed: "may-not-give-seats"
            case .notForGuests: "not-for-guests"
            case .badTerms: "bad-terms"
            case .unknownUpload: "unknown-upload"
            }
        }
    }
}
