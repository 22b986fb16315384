import Testing
import TourMailbox
import TourNode
import TourWords

/// Goal: whatever is between a node and its server, a guide reads what it is and what to do. Method: each standing as a
/// value, and the words that must be there.
@Suite struct ServerStandingTests {
    private static let server = "https://tours.example"

    private static func checks(
        account: String? = nil, lead: Int64? = nil, _ change: (inout ServerStanding.Tour) -> Void = { _ in }
    ) -> [TourNode.Check] {
        var tour = ServerStanding.Tour()
        change(&tour)
        return ServerStanding(account: account, clockLead: lead, tour: tour).checks(server)
    }

    @Test func withoutAServerNothingIsWrong() {
        let checks = ServerStanding().checks(nil)
        #expect(checks.map(\.state) == [.ok])
        #expect(
            checks[0].message.english.contains("No server")
                && checks[0].advice.english.contains("tour-chat login --server"))
    }

    @Test func withoutATourThereIsNothingToSync() {
        let checks = ServerStanding(account: "anna").checks(Self.server)
        #expect(checks.map(\.state) == [.ok] && checks[0].message.english.contains("in no tour"))
    }

    @Test func beforeTheFirstAnswerItIsAsked() {
        let checks = Self.checks()
        #expect(checks.map(\.state) == [.warning] && checks[0].message.english.contains("no answer yet"))
    }

    @Test(arguments: [
        (0, "reached 0 s ago"), (119, "reached 119 s ago"), (120, "reached 2 min ago"), (7_200, "reached 2 h ago"),
        (172_800, "reached 2 days ago"),
    ])
    func howLongAgoItWasReached(seconds: Int, words: String) {
        let checks = Self.checks { $0.answeredAgo = seconds }
        #expect(checks.map(\.state) == [.ok] && checks[0].message.english.contains(words))
        #expect(checks[0].message.english.contains("has everything"))
    }

    @Test func whatIsNotThereYetIsCounted() {
        let one = Self.checks {
            $0.answeredAgo = 3
            $0.unsynced = 1
        }
        #expect(one[0].message.english.contains("1 event not there yet."))
        let many = Self.checks {
            $0.answeredAgo = 3
            $0.unsynced = 12
            $0.isSyncing = true
        }
        #expect(many[0].message.english.contains("12 events not there yet, on the way."))
        let waiting = Self.checks {
            $0.unsynced = 12
            $0.problem = .network(.unreachable)
        }
        #expect(waiting[0].message.english.contains("12 events not there yet."))
        #expect(waiting[0].message.english.contains("not reached since the start"))
    }

    private static let problems: [(APIError, String)] = [
        (.network(.timeout), "goes on by itself"),
        (.loginPage(.redirect), "Open a browser"),
        (.loginPage(.type), "Open a browser"),
        (.loginPage(.marker), "Compare the address"),
        (.loginPage(.certificate), "--mailbox-ca"),
        (.unauthenticated, "tour-chat login"),
        (.http(status: 403, code: "not-a-guide"), "operator"),
        (.http(status: 403, code: "removed"), "new code"),
        (.http(status: 503, code: "busy"), "again later"),
        (.http(status: 500, code: "internal"), "operator"),
        (.decoding, "operator"),
    ]

    @Test(arguments: problems)
    func eachProblemHasItsAdvice(problem: APIError, words: String) {
        let checks = Self.checks { $0.problem = problem }
        #expect(checks.map(\.state) == [.warning])
        #expect(checks[0].advice.english.contains(words))
        #expect(checks[0].message.english.contains(problem.phrase.english))
    }

    /// Only who leads can make a tour known, and only with an account.
    @Test func whoMakesATourKnownIsSaid() {
        let unknown = APIError.http(status: 404, code: "unknown-group")
        func advice(account: String?, leads: Bool) -> String {
            let checks = Self.checks(account: account) {
                $0.problem = unknown
                $0.leads = leads
            }
            return checks[0].advice.english
        }
        #expect(advice(account: nil, leads: false).contains("Ask a guide"))
        #expect(advice(account: "anna", leads: false).contains("Ask a guide"))
        #expect(advice(account: nil, leads: true).contains("tour-chat login"))
        #expect(advice(account: "anna", leads: true).contains("tour-chat sync"))
    }

    @Test(
        arguments: [
            (nil, nil), (60_000, nil), (-60_000, nil), (90_500, "90 s behind"), (-7_200_000, "2 h ahead of"),
        ] as [(Int64?, String?)])
    func aClockThatIsOffIsSaid(lead: Int64?, words: String?) {
        let clock = Self.checks(lead: lead) { $0.answeredAgo = 1 }.filter { $0.name == "clock" }
        #expect(clock.isEmpty == (words == nil))
        #expect(clock.allSatisfy { $0.state == .warning && $0.message.english.contains(words ?? "-") })
    }

    @Test func whatItRefusesIsSaid() {
        let checks = Self.checks {
            $0.answeredAgo = 1
            $0.refused = 2
        }
        #expect(checks.map(\.state) == [.ok, .warning] && checks[1].message.english.contains("2 events"))
    }
}
