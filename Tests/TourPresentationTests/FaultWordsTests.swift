import Testing
import TourClient
import TourDesktop
import TourMailbox
import TourModel
import TourNodeWords
import TourPresentation
import TourStore
import TourWords

/// Goal: every fault says what to do, in every language, in the terms of the surface where it appears.
/// Method: words every case on both surfaces.
@Suite struct FaultWordsTests {
    private static let terminal = TerminalSurface()
    private static let page = PageSurface(elsewhere: terminal)

    /// The commands for what the page can do itself.
    private static let onThePage = UserAction.allCases.filter { PageSurface.label(of: $0) != nil }
        .map { "tour-chat " + TerminalSurface.command(for: $0) }

    @Test(arguments: Language.allCases)
    func everyFaultHasWordsOnBothSurfaces(language: Language) {
        for fault in FaultSamples.all {
            let words = [fault.phrase(on: Self.terminal), fault.phrase(on: Self.page)].map { $0.said(in: language) }
            #expect(words.allSatisfy { $0.count > 3 }, "\(fault.code)")
            #expect(words.allSatisfy { !$0.contains("{") && !$0.contains(fault.code + " (") }, "\(fault.code)")
            let foreign = Self.onThePage.filter(words[1].contains)
            #expect(foreign.isEmpty, "\(fault.code): \(foreign)")
        }
    }

    @Test func noTwoFaultsSayTheSame() {
        let words = FaultSamples.all.map { $0.phrase(on: Self.terminal) }
        let twice = Set(Dictionary(grouping: words) { $0 }.filter { $0.value.count > 1 }.keys)
        // By either sign it is a login page; a sync of the notebook passes the server's faults on.
        let same: [APIError] = [.loginPage(.redirect), .decoding]
        #expect(twice == Set(same.map { $0.phrase(on: Self.terminal) }), "\(twice)")
    }

    @Test func logsSayWhatIsWrongAndAdviseNothing() {
        for fault in FaultSamples.all {
            #expect(!fault.description.isEmpty && !fault.description.contains("tour-chat "), "\(fault.code)")
        }
    }

    @Test func adviceIsInTheTermsOfTheSurface() {
        let unknown = APIError.http(status: 404, code: "unknown-group")
        #expect(unknown.phrase(on: Self.terminal).english.hasSuffix("makes it known by 'tour-chat sync'."))
        #expect(unknown.phrase(on: Self.page).english.hasSuffix("makes it known by “Sync now”."))
        #expect(unknown.phrase(on: Self.page).said(in: .german).contains("„Jetzt synchronisieren“"))
        // The page cannot log in.
        let loggedOut = "Nobody is logged in: 'tour-chat login'."
        #expect(APIError.unauthenticated.phrase(on: Self.terminal).english == loggedOut)
        #expect(APIError.unauthenticated.phrase(on: Self.page).english == loggedOut)
        #expect(NotebookRunError.store.phrase(on: Self.page).english.contains("“Checks” says more"))
    }

    @Test func aServersOwnWordsArePassedOn() {
        let refusal = APIError.http(status: 422, code: Refusal("invalid-field", words: "email alanı eksik."))
        #expect(refusal.phrase(on: Self.page).english == "The server refused: email alanı eksik.")
        let silent = APIError.http(status: 500, code: "internal")
        #expect(silent.phrase(on: Self.page).english == "The server refused (500 internal).")
    }

    @Test func aFaultWithoutWordsHasItsDescription() {
        struct Silent: Fault {
            var scope: FaultScope { .link }
            var code: String { "silent" }
        }
        #expect(Silent().words(on: Self.page).english == "silent (link)")
        #expect(StoreError.busy.words(on: Self.page) == StoreError.busy.phrase(on: Self.page))
    }

    @Test func aNoticeHasItsHeading() {
        #expect(NoticeSummary.urgent(author: "Ben", tour: "Rome").phrase.english == "Urgent, from Ben in “Rome”")
        #expect(NoticeSummary.unread(2, tour: "Rome").phrase.english == "2 unread messages in “Rome”")
        #expect(NoticeSummary.earlier(1, tour: "Rome").phrase.english == "1 earlier message in “Rome”")
        let comment = DesktopEntry.Comment.ofProgram
        #expect(comment.plain == "Chat with your tour group, with no internet")
        #expect(comment.translations.map(\.tag).sorted() == ["ar", "de", "es", "fr", "ja", "tr"])
    }
}
