import TourMailbox
import TourWords

extension OrganisationError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .unknown: Phrase("You are in no such organisation, or it has nothing of the kind.")
        case .notInvited: Phrase("No open invitation of this organisation is for your account.")
        case .wrongCode: Phrase("This code lets nobody in: it was used, is over, or is another organisation's.")
        case .unknownTour: Phrase("Your account has made no such tour known at the server.")
        case .operatorAlone: Phrase("At this server the operator makes organisations.")
        case .adminsAlone: Phrase("Only an admin of the organisation may do that.")
        case .lastAdmin: Phrase("You are the organisation's last admin.")
        case .sharedElsewhere: Phrase("The tour is shared with another organisation.")
        case .notProven: Phrase("Your account has no address or phone there that is proven.")
        case .full: Phrase("The server's limit for this is reached: something there has to go first.")
        case .server(let error): error.phrase(on: surface)
        }
    }

    package var advice: Advice? {
        switch self {
        case .unknown: .nameOrganisation
        case .notInvited: .askOrganisationToInvite
        case .wrongCode: .askOrganisationForCode
        case .unknownTour: .makeTourKnown
        case .operatorAlone: .askOperatorForOrganisation
        case .adminsAlone: .askOrganisationAdmin
        case .lastAdmin: .makeOtherAdmin
        case .sharedElsewhere: .askOtherOrganisation
        case .notProven: .proveEmail
        case .full: nil
        case .server(let error): error.advice
        }
    }
}
