import Testing
import TourMailbox
import TourNode

/// Goal: whatever is between a node and its server, the doctor finds it. Method: each standing as a value.
@Suite struct ServerStandingTests {
    private static let server = "https://tours.example"

    private static func findings(
        account: String? = nil, lead: Int64? = nil, _ change: (inout ServerStanding.Tour) -> Void = { _ in }
    ) -> [ServerFinding] {
        var tour = ServerStanding.Tour()
        change(&tour)
        return ServerStanding(account: account, clockLead: lead, tour: tour).findings(server)
    }

    @Test func withoutAServerOrATourNothingIsWrong() {
        #expect(ServerStanding().findings(nil) == [.none])
        #expect(ServerStanding(account: "anna").findings(Self.server) == [.noTour(Self.server)])
        #expect(Finding.server(.none).state == .ok && Finding.server(.noTour(Self.server)).state == .ok)
    }

    @Test func beforeTheFirstAnswerItIsAsked() {
        #expect(Self.findings() == [.asked(Self.server)])
        #expect(Finding.server(.asked(Self.server)).state == .warning)
    }

    @Test func whatIsNotThereYetIsCounted() {
        let findings = Self.findings {
            $0.answeredAgo = 3
            $0.unsynced = 12
            $0.isSyncing = true
        }
        #expect(findings == [.reached(Self.server, secondsAgo: 3, waiting: 12, isSyncing: true)])
    }

    @Test func whyASyncFailedIsFound() {
        let findings = Self.findings(account: "anna") {
            $0.unsynced = 12
            $0.problem = .network(.unreachable)
            $0.leads = true
        }
        var trouble = ServerStanding.Trouble()
        trouble.waiting = 12
        trouble.leads = true
        trouble.account = "anna"
        #expect(findings == [.failed(Self.server, .network(.unreachable), trouble)])
        #expect(findings.map { Finding.server($0).state } == [.warning])
    }

    @Test(
        arguments: [(nil, false), (60_000, false), (-60_000, false), (90_500, true), (-7_200_000, true)]
            as [(Int64?, Bool)])
    func aClockThatIsOffIsFound(lead: Int64?, isOff: Bool) {
        let clock = Self.findings(lead: lead) { $0.answeredAgo = 1 }.dropFirst()
        #expect(Array(clock) == (isOff ? lead.map { [.clockLead($0)] } ?? [] : []))
        #expect(clock.allSatisfy { Finding.server($0).name == "clock" && Finding.server($0).state == .warning })
    }

    @Test func whatItRefusesIsFound() {
        let findings = Self.findings {
            $0.answeredAgo = 1
            $0.refused = 2
        }
        #expect(findings.dropFirst() == [.refuses(2)])
        #expect(findings.map { Finding.server($0).state } == [.ok, .warning])
    }
}
