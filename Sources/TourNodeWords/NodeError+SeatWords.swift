import TourAPI
import TourNode
import TourPresentation
import TourWords

// Words about guests' seats: most are read by guests, in their browser.
extension NodeError.SeatFault {
    var phrase: Phrase {
        switch self {
        case .off: Phrase("This device lets no guests in at the moment.")
        case .full: Phrase("There is no place left at this device. Ask the guide.")
        case .badPass: Phrase("This code is an old one. Scan the one that the guide's device shows now.")
        case .passUsedUp: Phrase("This code has let in as many as it may. Ask the guide for a new one.")
        case .passExpired: Phrase("The time of this code is over. Ask the guide for a new one.")
        case .wrongDigits:
            Phrase("These are not the digits. Compare them with those that the guide's device shows now.")
        case .digitsSpent:
            Phrase("Too many wrong digits were typed here. Scan the code, or ask the guide for a new one.")
        case .unknownSeat: Phrase("No guest of this tour is known here by that. Scan the guide's code again.")
        case .wrongSecret: Phrase("Another phone has this place in the tour. Scan the guide's code again.")
        case .over: Phrase("Your place in this tour has ended.")
        case .ended: Phrase("This tour has ended.")
        case .removed(by: nil): Phrase("You were removed from this tour.")
        case .removed(by: let name?): Phrase("\(name) removed you from this tour.")
        case .moved: Phrase("You are at another device now.")
        // A page asks again by itself, and shows this to nobody.
        case .gone: Phrase("This device is connecting to you again.")
        case .behind: Phrase("This device does not have everything yet that you wrote. It goes on in a moment.")
        case .slowDown(let seconds):
            Phrase("That is too fast: once more in \(seconds) s.")
        case .notAllowed: Phrase("A guide must allow this device to let guests in.")
        case .notForGuests: Phrase("Guests cannot do that.")
        case .badTerms:
            Phrase(
                """
                There are 1 to \(SeatLimits.seatsMax) places for guests; a code for them lets in 1 to \
                \(SeatLimits.passUsesMax), for 30 days at most.
                """)
        case .unknownUpload: Phrase("The picture did not come whole. Send it again.")
        }
    }
}
