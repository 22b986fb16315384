import TourWords

/// The page in the browser: names actions by its own labels, as `Sources/CPage/page/words` has them.
package struct PageSurface: Surface {
    /// Names what the page cannot do.
    private let elsewhere: any Surface

    package init(elsewhere: any Surface) { self.elsewhere = elsewhere }

    package func name(of action: UserAction) -> Phrase { Self.label(of: action)?.phrase ?? elsewhere.name(of: action) }

    /// The label of the page's button or view for an action, by its key in the page's words.
    /// - Returns: nil for what the page cannot do.
    package static func label(of action: UserAction) -> (key: String, phrase: Phrase)? {
        switch action {
        case .createTour: ("create", Phrase("“Create a tour”"))
        case .joinTour: ("join", Phrase("“Join a tour”"))
        case .listTours: ("tours", Phrase("“Your tours”"))
        case .invite: ("makeCode", Phrase("“Show a code”"))
        case .listInvites: ("invite", Phrase("“Invite”"))
        case .closeTour: ("closeTour", Phrase("“End the tour”"))
        case .leaveTour: ("leave", Phrase("“Leave this tour”"))
        case .recoverWithNothingSince: ("nothingSince", Phrase("“Nothing is missing”"))
        case .giveKeyUp: ("newKey", Phrase("“Give the key up”"))
        case .listMembers: ("people", Phrase("“People”"))
        case .nameSuccessor: ("successor", Phrase("“Successor”"))
        case .giveAnotherRole(let name): ("roleOf", Phrase("“Role of \(name)”"))
        case .sync: ("syncNow", Phrase("“Sync now”"))
        case .status: ("status", Phrase("“Status”"))
        case .doctor: ("checks", Phrase("“Checks”"))
        case .hotspot: ("ownNetwork", Phrase("“A network of your own”"))
        case .login, .listAskers, .unlinkNotebook, .run, .openPage, .unlock, .setPassphrase, .wipe, .listMessages,
            .showReceipts,
            .listFiles, .dropFile, .saveFile, .fetchFile, .openFile, .removeArchive, .readAboutRecovery,
            .addEmail, .listOrganisations, .listOrganisationMembers, .makeOrganisationAdmin:
            nil
        }
    }
}
