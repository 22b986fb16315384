import TourAPI
import TourNode
import TourPresentation
import TourWords

// Words for asking to be let in.
extension NodeError.AskingFault {
    var phrase: Phrase {
        switch self {
        case .badDigits: Phrase("A code that somebody reads aloud has eight digits.")
        case .badTag: Phrase("No tour near you has this name any more: look again.")
        case .noTourNear: Phrase("No tour near you lets people ask. Go nearer, or use a code.")
        case .severalTours(let labels):
            Phrase("There are several tours near you, choose one: \(labels.joined(separator: ", ")).")
        case .notAdmitted: Phrase("Nobody has let you in yet.")
        case .unknownAsker: Phrase("They do not ask any more.")
        case .badUses: Phrase("A code to read aloud is for 1 to \(SpokenCode.usesMax) people.")
        case .off: Phrase("This device does not answer people who ask: turn that on first.")
        }
    }
}

extension AskTrouble {
    /// Why nobody let the user in, and what to do.
    package var phrase: Phrase {
        switch self {
        case .unreachable: Phrase("Nobody answered. Go nearer and ask again.")
        case .refused: Phrase("They said no. Talk to your guide.")
        case .busy: Phrase("Too many people are asking at the moment. Try again in a minute.")
        case .expired: Phrase("Nobody looked in time. Ask again beside somebody who leads the tour.")
        case .closed: Phrase("This device lets nobody in. Ask somebody else who leads the tour.")
        case .noCode: Phrase("No code is being read out there. Ask for a new one.")
        case .wrongCode: Phrase("These are not the digits. Compare them, and try again.")
        case .spent: Phrase("This code has been used up. Ask for a new one.")
        }
    }
}
