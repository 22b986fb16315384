/// Something that the user can do, which advice names by `Surface.name`.
package enum UserAction: Hashable, Sendable {
    /// Make a tour; enter one with a code; see all tours of this node.
    case createTour, joinTour, listTours
    /// Show the code that lets others in; see all invites of the tour.
    case invite, listInvites
    /// End the tour for everybody; leave it.
    case closeTour, leaveTour
    /// After a copy was restored: state that nothing was written since; leave the tour's key behind.
    case recoverWithNothingSince, giveKeyUp
    /// See who is in the tour, and with which role.
    case listMembers
    /// Name the member who ranks as creator; give the member of this name another role.
    case nameSuccessor, giveAnotherRole(to: String)
    /// See the tour's messages; see who has one of them.
    case listMessages, showReceipts
    /// See the files here; free the room of one.
    case listFiles, dropFile
    /// Save the file with this id in a directory; fetch and save it where the user is; fetch and open it.
    case saveFile(id: String), fetchFile(id: String), openFile(id: String)
    /// Take the server's archive out of the tour.
    case removeArchive
    /// Read what can be decided for a tour whose data here is a copy.
    case readAboutRecovery
    /// Log in at a server, naming this much in the same step.
    case login(Login)
    /// Exchange news with the server now.
    case sync
    /// Give the account an e-mail address that is proven.
    case addEmail
    /// See the account's organisations; see the members of one; make a member of one its admin.
    case listOrganisations, listOrganisationMembers, makeOrganisationAdmin
    /// Free the notebook for another account.
    case unlinkNotebook
    /// Start the node with this option.
    case run(Run)
    /// See how the node stands; let it look for what is wrong.
    case status, doctor
    /// Open the page in a browser.
    case openPage
    /// Serve a network of one's own.
    case hotspot
    /// See who asks to be let in.
    case listAskers
    /// Open a locked node; protect the data; destroy all of it.
    case unlock, setPassphrase, wipe

    /// What a login names.
    package enum Login: Hashable, Sendable, CaseIterable {
        /// Nothing yet: the user chooses.
        case asked
        /// The server; the account; both.
        case server, account, serverAndAccount
    }

    /// What a start of the node names.
    package enum Run: Hashable, Sendable, CaseIterable {
        /// Nothing beside what is set already.
        case plain
        /// A server; the file of the authority that signs the server's certificate.
        case server, authority
    }
}

extension UserAction: CaseIterable {
    /// Each action, those about a member or file with a placeholder for it.
    package static let allCases: [UserAction] =
        [
            .createTour, .joinTour, .listTours, .invite, .listInvites, .closeTour, .leaveTour,
            .recoverWithNothingSince, .giveKeyUp, .listMembers, .nameSuccessor, .giveAnotherRole(to: "NAME"), .sync,
            .unlinkNotebook, .status, .doctor, .openPage, .hotspot, .listAskers, .unlock, .setPassphrase, .wipe,
            .listMessages,
            .showReceipts,
            .listFiles, .dropFile, .saveFile(id: "ID"), .fetchFile(id: "ID"), .openFile(id: "ID"), .removeArchive,
            .readAboutRecovery, .addEmail, .listOrganisations, .listOrganisationMembers, .makeOrganisationAdmin,
        ] + Login.allCases.map(UserAction.login) + Run.allCases.map(UserAction.run)
}
