import Testing
import TourAPI
import TourDiscovery
import TourMailbox
import TourNode
import TourNodeWords
import TourPresentation
import TourStore
import TourWords

/// Goal: whatever the doctor finds, a guide reads what it is and what to do.
/// Method: findings as values, and the words that must be there on a surface with names of its own.
@Suite struct FindingWordsTests {
    private static let findings: [Finding] = [
        .noNode, .discoveryOff, .discoveryRuns(announced: 1), .discoveryStarts,
        .discoveryFails(.starting, instead: .datagrams),
        .discoveryFails(.starting, instead: .addresses(["192.0.2.1"], port: 4_000)), .reachable(["192.0.2.1"], port: 1),
        .nearOnly, .unreachable, .noTour, .inactive(.removed("Walk")), .inactive(.left("Walk")),
        .alone("Walk", isClosed: false), .alone("Walk", isClosed: true), .linked(2, "Walk"),
        .notLinked(others: 2, seesNobody: true), .notLinked(others: 1, seesNobody: false), .multicastOff,
        .multicastBlocked(["lo"]), .multicastUntested, .multicastWorks([.init(interface: "lo", members: 2)]),
        .pathsBlocked(["Ben"], of: 2), .paths(2, milliseconds: 5, lost: 1), .clockRight, .clockBehind,
        .clockBeforeProgram, .diskUnreadable("/x"), .diskFree(mebibytes: 5), .diskFree(mebibytes: 50_000),
        .storageKey(.file), .storageKey(.passphrase), .storageKey(.keyring(id: [])), .twin("Walk"),
        .silent(.recovering("Walk", heard: 0, needed: 2)), .silent(.recovering("Walk", heard: 0, needed: 1)),
        .silent(.forked("Walk")), .shareUsed(percent: 91, "Walk"), .shareFull("Walk"), .guidingFull("Walk"),
        .memberShareFull("Ben", tour: "Walk"), .voided(.removal("Ben")),
    ]

    @Test(arguments: findings)
    func eachIsWorded(finding: Finding) {
        let message = finding.message(on: NamedSurface()).english
        let advice = finding.advice(on: NamedSurface()).english
        #expect(!message.isEmpty && !finding.name.isEmpty)
        #expect(!message.contains("'tour-chat") && !advice.contains("'tour-chat"))
        // Whoever left a tour knows what to do.
        if finding != .inactive(.left("Walk")) { #expect(advice.isEmpty == (finding.state == .ok && !finding.isAlone)) }
    }

    /// No link and no address that works stands beside "no network".
    @Test(
        arguments: [
            ([], [], false, .unreachable), ([], ["::1", "127.0.0.1"], false, .unreachable),
            ([], ["fe80::1"], false, .nearOnly), ([], ["FE80::1", "fe80::2"], true, .nearOnly),
            ([], ["127.0.0.1"], true, .nearOnly), ([], [], true, .nearOnly),
            (["192.0.2.1"], ["192.0.2.1", "fe80::1"], false, .reachable(["192.0.2.1"], port: 7)),
            (["169.254.3.4"], ["169.254.3.4"], false, .reachable(["169.254.3.4"], port: 7)),
            (["2001:db8::1"], ["2001:db8::1"], true, .reachable(["2001:db8::1"], port: 7)),
            (["fd00::1"], ["fd00::1", "fe80::1"], false, .reachable(["fd00::1"], port: 7)),
        ] as [([String], [String], Bool, Finding)])
    func aNetworkThatWorksIsUp(own: [String], all: [String], hasLinks: Bool, finding: Finding) {
        #expect(Finding.network(own: own, all: all, hasLinks: hasLinks, port: 7) == finding)
    }

    private static let server = "https://tours.example"

    private static func message(_ finding: ServerFinding) -> String {
        Finding.server(finding).message(on: NamedSurface()).english
    }

    private static func advice(_ finding: ServerFinding) -> String {
        Finding.server(finding).advice(on: NamedSurface()).english
    }

    @Test func withoutAServerNothingIsWrong() {
        #expect(Self.message(.none).contains("No server"))
        #expect(Self.advice(.none).contains("[login("))
        #expect(Self.message(.noTour(Self.server)).contains("in no tour"))
        #expect(Self.message(.asked(Self.server)).contains("no answer yet"))
    }

    @Test(arguments: [
        (0, "reached 0 s ago"), (119, "reached 119 s ago"), (120, "reached 2 min ago"), (7_200, "reached 2 h ago"),
        (172_800, "reached 2 days ago"),
    ])
    func howLongAgoItWasReached(seconds: Int, words: String) {
        let message = Self.message(.reached(Self.server, secondsAgo: seconds, waiting: 0, isSyncing: false))
        #expect(message.contains(words) && message.contains("has everything"))
    }

    @Test func whatIsNotThereYetIsCounted() {
        let one = Self.message(.reached(Self.server, secondsAgo: 3, waiting: 1, isSyncing: false))
        #expect(one.contains("1 event not there yet."))
        let many = Self.message(.reached(Self.server, secondsAgo: 3, waiting: 12, isSyncing: true))
        #expect(many.contains("12 events not there yet, on the way."))
        var trouble = ServerStanding.Trouble()
        trouble.waiting = 12
        let waiting = Self.message(.failed(Self.server, .network(.unreachable), trouble))
        #expect(waiting.contains("12 events not there yet.") && waiting.contains("not reached since the start"))
    }

    private static let problems: [(APIError, String)] = [
        (.network(.timeout), "goes on by itself"),
        (.loginPage(.redirect), "Open a browser"),
        (.loginPage(.type), "Open a browser"),
        (.loginPage(.marker), "Compare the address"),
        (.loginPage(.certificate), "[run("),
        (.unauthenticated, "[login("),
        (.http(status: 403, code: "not-a-guide"), "operator"),
        (.http(status: 403, code: "removed"), "new code"),
        (.http(status: 503, code: "busy"), "again later"),
        (.http(status: 500, code: "internal"), "operator"),
        (.decoding, "operator"),
    ]

    @Test(arguments: problems)
    func eachProblemHasItsAdvice(problem: APIError, words: String) {
        let finding = ServerFinding.failed(Self.server, problem, ServerStanding.Trouble())
        #expect(Self.advice(finding).contains(words))
        #expect(Self.message(finding).contains(problem.phrase(on: NamedSurface()).english))
    }

    /// Only who leads can make a tour known, and only with an account.
    @Test func whoMakesATourKnownIsSaid() {
        func advice(account: String?, leads: Bool) -> String {
            var trouble = ServerStanding.Trouble()
            trouble.account = account
            trouble.leads = leads
            return Self.advice(.failed(Self.server, .http(status: 404, code: "unknown-group"), trouble))
        }
        #expect(advice(account: nil, leads: false).contains("Ask a guide"))
        #expect(advice(account: "anna", leads: false).contains("Ask a guide"))
        #expect(advice(account: nil, leads: true).contains("[login("))
        #expect(advice(account: "anna", leads: true).contains("[sync]"))
    }

    @Test func aClockThatIsOffIsSaid() {
        #expect(Self.message(.clockLead(90_500)).contains("90 s behind"))
        #expect(Self.message(.clockLead(-7_200_000)).contains("2 h ahead of"))
        #expect(Self.message(.refuses(2)).contains("2 events"))
    }
}

extension Finding {
    /// All is well, and others can be invited.
    fileprivate var isAlone: Bool { self == .alone("Walk", isClosed: false) }
}
