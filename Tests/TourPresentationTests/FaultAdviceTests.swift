import Testing
import TourClient
import TourMailbox
import TourModel
import TourNode
import TourPosition
import TourPresentation
import TourStore
import TourWords

/// Goal: a fault whose words do not say what to do has advice, in the terms of the surface where it appears.
/// Method: faults of each module on both surfaces.
@Suite struct FaultAdviceTests {
    private static let terminal = TerminalSurface()
    private static let page = PageSurface(elsewhere: terminal)

    static let cases: [(any Fault, String)] = [
        (NodeError.noTour, "Create a tour with 'tour-chat tour create NAME', or join one with 'tour-chat join CODE'."),
        (NodeError.message(.idTooShort), "'tour-chat messages' shows the ids; six or more of an id's first digits"),
        (NodeError.join(.nobodyFound), "which 'tour-chat doctor' tests. Try again nearer,"),
        (NodeError.membership(.hasArchive("Rome")), "'tour-chat archive remove' takes it out."),
        (NodeError.recovering("Rome", heard: 0, needed: 2), "'tour-chat tour recover --help' says what to do when"),
        (NodeError.file(.notDelivered), "'tour-chat receipts ID' shows who has it."),
        (
            NodeError.store(.noRoom(.disk)),
            "'tour-chat files' shows what is here, and 'tour-chat files --drop ID' frees"
        ),
        (StoreError.notEmpty, "or empty this one with 'tour-chat wipe'."),
        (StoreError.inUse(pid: 7), "End the other one, or choose another directory with --data-dir."),
        (StoreError.passphraseWrong, "--passphrase-file"),
        (PositionFault.unreachable(.usual), "name another with --gpsd HOST:PORT"),
        (APIError.network(.timeout), "what was not synced goes when the server is in reach."),
        (NotebookRunError.api(.loginPage(.marker)), "'tour-chat status' shows when the server was reached again."),
        (OrganisationError.unknown, "'tour-chat account organisation list' shows yours"),
        (OrganisationError.lastAdmin, "'tour-chat account organisation role MEMBER admin'"),
        (OrganisationError.notProven, "'tour-chat account email ADDRESS' proves one"),
        (OrganisationError.unknownTour, "'tour-chat sync' makes a tour of yours known"),
        (OrganisationError.server(.network(.timeout)), "what was not synced goes when the server is in reach."),
        (NotebookRunError.otherAccount, "'tour-chat notebook unlink' makes the notebook free"),
    ]

    @Test(arguments: cases)
    func theTerminalAdvisesCommands(fault: any Fault, words: String) {
        #expect(fault.advice(on: Self.terminal)?.english.contains(words) == true, "\(fault.code)")
    }

    @Test func thePageAdvisesItsButtons() {
        let words = NodeError.noTour.advice(on: Self.page)
        #expect(words?.english == "Create a tour with “Create a tour”, or join one with “Join a tour”.")
        #expect(words?.said(in: .german).contains("„Tour beitreten“") == true)
    }

    @Test func wordsThatSayItHaveNoAdvice() {
        let faults: [any Fault] = [
            NodeError.busy, NodeError.membership(.ownRole(isCreator: true)), StoreError.diskFull,
            StoreError.noRoom(.notebook), PositionFault.noFix, APIError.unauthenticated, NotebookRunError.store,
            OrganisationError.full,
        ]
        for fault in faults { #expect(fault.advice(on: Self.terminal) == nil, "\(fault.code)") }
    }
}
