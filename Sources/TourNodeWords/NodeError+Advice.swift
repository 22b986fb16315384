import TourModel
import TourNode
import TourPresentation

extension NodeError {
    package var advice: Advice? {
        switch self {
        case .noTour: .enterTour
        case .unknownTour: .nameTour
        case .unknownMember: .nameMember
        case .notAllowed: .askAbove
        case .removed, .forked, .retired: .joinAnew
        case .recovering: .decideRecovery
        case .join(let fault): fault.advice
        case .asking(.unknownAsker): .listAskers
        case .seat(.notAllowed): .askAbove
        case .membership(let fault): fault.advice
        case .message(.unknown), .message(.idTooShort): .nameMessage
        case .file(.notDelivered): .seeReceipts
        case .file(.unsendable(let error)): error.advice
        case .notebook(.unknownItem), .notebook(.itemGone): .nameItem
        case .notebook(.unattachable(let error, _)): error.advice
        case .keeping(.nothingToLock): .setPassphrase
        case .keeping(.emptyPassphrase), .keeping(.backupWithoutPassphrase): .givePassphrase
        case .store(let error): error.advice
        case .ambiguous, .badName, .nullInText, .badExpiry, .busy, .noMailbox, .notActive, .closed, .left,
            .waitsForKey, .shareFull, .guidingFull, .eventTooLarge, .network, .asking, .seat, .message, .roll, .place,
            .file, .notebook, .shared, .keeping, .storing:
            nil
        }
    }
}

extension NodeError.JoinFault {
    fileprivate var advice: Advice? {
        switch self {
        case .alreadyMember: .seeTour
        case .nobodyFound: .comeNearer
        case .revoked, .expired, .usedUp: .askForCode
        case .offline, .replaced, .stopping, .falseTour, .closed, .full, .invalid: nil
        }
    }
}

extension NodeError.MembershipFault {
    fileprivate var advice: Advice? {
        switch self {
        case .cannotGiveRole, .cannotRemove: .askAbove
        case .hasArchive: .removeArchive
        case .badInvite, .unknownInvite, .badRole, .hasSuccessor, .ownRole, .ownRemoval, .creatorStays, .noArchive:
            nil
        }
    }
}
