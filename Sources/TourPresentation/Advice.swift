import TourAPI
import TourWords

/// What a person can do about a fault whose message does not say it, in the words of the surface where it appears.
package struct Advice: Sendable {
    private let words: @Sendable (any Surface) -> Phrase

    private init(_ words: @escaping @Sendable (any Surface) -> Phrase) { self.words = words }

    /// The words on this surface.
    package func phrase(on surface: any Surface) -> Phrase { words(surface) }
}

/// Tours, their members and messages.
extension Advice {
    /// There is no tour yet.
    package static let enterTour = Self {
        Phrase("Create a tour with \($0.name(of: .createTour)), or join one with \($0.name(of: .joinTour)).")
    }
    /// The tour is not known.
    package static let nameTour = Self { Phrase("\($0.name(of: .listTours)) shows your tours; name one with --tour.") }
    /// The message is not known.
    package static let nameMessage = Self {
        Phrase("\($0.name(of: .listMessages)) shows the ids; six or more of an id's first digits are enough.")
    }
    /// The member is not known.
    package static let nameMember = Self { Phrase("\($0.name(of: .listMembers)) shows names and ids.") }
    /// The user ranks too low.
    package static let askAbove = Self {
        Phrase("\($0.name(of: .listMembers)) shows who is what: somebody who ranks above you may.")
    }
    /// The tour has an archive.
    package static let removeArchive = Self { Phrase("\($0.name(of: .removeArchive)) takes it out.") }
    /// The user's log waits for members.
    package static let decideRecovery = Self {
        Phrase("\($0.name(of: .readAboutRecovery)) says what to do when nobody comes.")
    }
}

/// Joining a tour.
extension Advice {
    static let compareCode = Self {
        Phrase("Compare the code letter by letter, or scan the QR code of \($0.name(of: .invite)).")
    }
    static let updateProgram = Self { _ in
        Phrase("Update the program on this device, or on the one that made the code.")
    }
    /// The code lets nobody in any more.
    package static let askForCode = Self { Phrase("Ask the guide for a new code (\($0.name(of: .invite))).") }
    /// No member of the tour is near.
    package static let comeNearer = Self {
        Phrase(
            """
            A member's node must run in the same network, which \($0.name(of: .doctor)) tests. Try again nearer, or \
            start ours with --peer HOST:PORT.
            """)
    }
    /// The user is in the tour already.
    package static let seeTour = Self { Phrase("\($0.name(of: .listTours)) shows it.") }
    /// The user is out of the tour.
    package static let joinAnew = Self {
        Phrase("With a new code \($0.name(of: .joinTour)) lets you in again at once; what you have stays.")
    }
    /// No tour near here answers those who ask.
    package static let goToGuide = Self {
        Phrase(
            """
            Be in the same Wi-Fi as the guide, whose node must run; \($0.name(of: .doctor)) tests this network. With a \
            code \($0.name(of: .joinTour)) works too.
            """)
    }
    /// Several tours are near.
    package static let nameLabel = Self { _ in Phrase("Name yours by its two words, behind the command.") }
    package static let askAgain = Self { _ in Phrase("The same command asks again.") }
    package static let listAskers = Self { Phrase("\($0.name(of: .listAskers)) lists who asks.") }
    /// The command's user has no name yet.
    package static func sayName(option: String) -> Self { Self { _ in Phrase("Say it with \(option) NAME.") } }
}

/// The node and the directory of its data.
extension Advice {
    /// No node runs, which the command needs.
    package static let startNode = Self { Phrase("Start one with \($0.name(of: .run(.plain))) in another terminal.") }
    /// Another process uses the data directory.
    package static let endOther = Self { _ in
        Phrase("End the other one, or choose another directory with --data-dir.")
    }
    /// The data directory is used for other tours.
    package static let emptyDirectory = Self {
        Phrase("Name a new directory with --data-dir, or empty this one with \($0.name(of: .wipe)).")
    }
    package static let unlock = Self { Phrase("\($0.name(of: .unlock)) goes on.") }
    package static let setPassphrase = Self { Phrase("\($0.name(of: .setPassphrase)) makes one.") }
    package static let givePassphrase = Self { _ in
        Phrase(
            """
            At a terminal it is asked for; elsewhere name a file that holds it, with --passphrase-file or \
            TOUR_CHAT_PASSPHRASE_FILE.
            """)
    }
    package static let retypePassphrase = Self { _ in
        Phrase(
            """
            Run the command again and type it, or look into the file that --passphrase-file or \
            TOUR_CHAT_PASSPHRASE_FILE names.
            """)
    }
    package static let giveBackupPassphrase = Self { _ in
        Phrase("At a terminal it is asked for; elsewhere name a file that holds it, with --backup-passphrase-file.")
    }
    package static let lengthenPassphrase = Self { _ in
        Phrase("Four words that have nothing to do with each other are better; --weak takes a shorter one.")
    }
    static let startReceiver = Self { _ in
        Phrase("Start gpsd with your receiver, name another with --gpsd HOST:PORT, or write a place as LAT,LON.")
    }
    static let plugReceiver = Self { _ in Phrase("Plug one in, or write a place as LAT,LON.") }
}

/// Files.
extension Advice {
    package static let makeRoom = Self {
        Phrase(
            """
            \($0.name(of: .listFiles)) shows what is here, and \($0.name(of: .dropFile)) frees what one takes.
            """)
    }
    /// Others have yet to get the file.
    package static let seeReceipts = Self { Phrase("\($0.name(of: .showReceipts)) shows who has it.") }
    package static let replaceFile = Self { _ in Phrase("Name another file, or say --force to replace this one.") }
    package static func saveFile(id: String) -> Self { Self { Phrase("\($0.name(of: .saveFile(id: id))) does.") } }
    /// The file needs a node that fetches it.
    package static let runToFetch = Self {
        Phrase("It comes when one does: \($0.name(of: .run(.plain))) in another terminal, then this again.")
    }
    package static let fetchAgain = Self { _ in
        Phrase("The node goes on fetching it: the same command, later, saves it.")
    }
    /// - Parameter action: fetches the file once more.
    package static func fetchLater(by action: UserAction) -> Self {
        Self { Phrase("The node goes on fetching it: \($0.name(of: action)) saves it later.") }
    }
    /// PDF files need libraries and a font.
    package static let installPrinter = Self { _ in
        Phrase("Install them: 'apt install libpangocairo-1.0-0 fonts-dejavu-core'; other scripts want fonts-noto.")
    }
}

/// The server and the notebook.
extension Advice {
    /// The notebook has no such item.
    package static let nameItem = Self { _ in
        Phrase("'notes list', 'places list', 'itinerary list' and 'notebook lost' show ids and titles.")
    }
    /// The item has changed meanwhile.
    package static let showItem = Self { _ in Phrase("The 'show' command shows how it is now.") }
    static let freeNotebook = Self {
        Phrase("\($0.name(of: .unlinkNotebook)) makes the notebook free for the account that is logged in.")
    }
    static let seeServer = Self { Phrase("\($0.name(of: .status)) shows when the server was reached again.") }
    static let waitForServer = Self { _ in
        Phrase("Nothing is lost: what was not synced goes when the server is in reach.")
    }
    package static let nameEditor = Self { _ in
        Phrase("Name another one in EDITOR, or give the text in the command.")
    }
    /// - Parameter path: where the text is that was not stored.
    package static func findDraft(at path: String) -> Self {
        Self { _ in Phrase("What you wrote is in \(path): nothing of it is lost.") }
    }
    /// A number that the server cannot use without a country.
    package static let addCountry = Self { _ in
        Phrase("Write the number with the country's code, without the 0 before it: +905321234567.")
    }
}

/// Organisations at the server.
extension Advice {
    /// The user names none that is there.
    package static let nameOrganisation = Self {
        Phrase("\($0.name(of: .listOrganisations)) shows yours, and those that invite you.")
    }
    /// The user names no member.
    package static let nameOrganisationMember = Self {
        Phrase("\($0.name(of: .listOrganisationMembers)) shows them by number.")
    }
    static let askOrganisationAdmin = Self {
        Phrase("Ask one of its admins: \($0.name(of: .listOrganisationMembers)) shows them by number.")
    }
    static let askOrganisationForCode = Self { _ in Phrase("Ask one of its admins for a new code.") }
    static let askOrganisationToInvite = Self { _ in
        Phrase("Ask one of its admins to invite your account's address or phone, or for a code.")
    }
    static let makeOtherAdmin = Self {
        Phrase("Make another member admin first: \($0.name(of: .makeOrganisationAdmin)).")
    }
    static let makeTourKnown = Self {
        Phrase("\($0.name(of: .sync)) makes a tour of yours known; one of another guide is shared by that guide.")
    }
    static let askOperatorForOrganisation = Self { _ in
        Phrase("Ask the operator to make one, with your account as its first admin.")
    }
    static let askOtherOrganisation = Self { _ in Phrase("An admin there takes it out first.") }
    static let proveEmail = Self { Phrase("\($0.name(of: .addEmail)) proves one by a code.") }
}
