import TourMailbox
import TourModel
import TourWords

/// How this node stands with its server, and the doctor's words for that.
package struct ServerStanding {
    /// The account that is logged in.
    package var account: String?
    /// The server's clock less ours, in milliseconds; nil before the server answered.
    package var clockLead: Int64?
    /// The chosen tour at this server; nil without a tour.
    package var tour: Tour?

    package init(account: String? = nil, clockLead: Int64? = nil, tour: Tour? = nil) {
        self.account = account
        self.clockLead = clockLead
        self.tour = tour
    }

    /// One tour at the server.
    package struct Tour {
        /// Seconds since the server last answered; nil: not since the start.
        package var answeredAgo: Int?
        /// Whether a sync is in progress.
        package var isSyncing = false
        /// Why the last sync failed; nil if it went well.
        package var problem: APIError?
        /// Events that no server is known to have, and events that the server rejects.
        package var unsynced: UInt64 = 0
        /// Events that the server rejects.
        package var refused = 0
        /// Whether this member may register the tour with the server.
        package var leads = false

        package init() {}
    }

    /// A clock that is further off makes the times that people see, and the validity of certificates, doubtful.
    private static let clockLeadMax: Int64 = 60_000

    /// The doctor's lines on the server.
    /// - Parameter server: its address; nil where none is set.
    package func checks(_ server: String?) -> [TourNode.Check] {
        guard let server else {
            return [
                Check(
                    name: Self.name, state: .ok,
                    message: Phrase("No server (optional)."),
                    advice: Phrase(
                        """
                        If your operator has one: tour-chat login --server URL --phone NUMBER (or --email \
                        ADDRESS).
                        """))
            ]
        }
        guard let tour else {
            let message = Phrase("\(server) is set; this node is in no tour, so there is nothing to sync.")
            return [Check(name: Self.name, state: .ok, message: message, advice: .empty)]
        }
        return [tourCheck(tour, server)] + refusedChecks(tour) + clockChecks
    }

    private typealias Check = TourNode.Check
    private static let name = "server"

    private func tourCheck(_ tour: Tour, _ server: String) -> TourNode.Check {
        if let problem = tour.problem { return problemCheck(problem, tour, server) }
        guard let ago = tour.answeredAgo else {
            return Check(
                name: Self.name, state: .warning, message: Phrase("\(server) is being asked; no answer yet."),
                advice: Phrase("Try again in a few seconds."))
        }
        return Check(
            name: Self.name, state: .ok, message: reached(tour, server, Self.ago(seconds: ago)), advice: .empty)
    }

    private func reached(_ tour: Tour, _ server: String, _ ago: Phrase) -> Phrase {
        let waiting = Int(clamping: tour.unsynced)
        guard waiting > 0 else { return Phrase("\(server), reached \(ago): it has everything.") }
        guard tour.isSyncing else {
            return Phrase(
                waiting, one: "\(server), reached \(ago): \(waiting) event not there yet.",
                other: "\(server), reached \(ago): \(waiting) events not there yet.")
        }
        return Phrase(
            waiting, one: "\(server), reached \(ago): \(waiting) event not there yet, on the way.",
            other: "\(server), reached \(ago): \(waiting) events not there yet, on the way.")
    }

    private func problemCheck(_ problem: APIError, _ tour: Tour, _ server: String) -> TourNode.Check {
        var sentences = [
            tour.answeredAgo.map { Phrase("\(server), reached \(Self.ago(seconds: $0)): \(problem.phrase)") }
                ?? Phrase("\(server), not reached since the start: \(problem.phrase)")
        ]
        let waiting = Int(clamping: tour.unsynced)
        if waiting > 0 {
            sentences.append(
                Phrase(waiting, one: "\(waiting) event not there yet.", other: "\(waiting) events not there yet."))
        }
        return Check(
            name: Self.name, state: .warning, message: Phrase(sentences, separator: " "),
            advice: advice(problem, leads: tour.leads))
    }

    private func advice(_ problem: APIError, leads: Bool) -> Phrase {
        switch problem {
        case .network:
            Phrase(
                """
                Nothing is lost: it goes on by itself once this machine, or another member's, has a way to the \
                internet.
                """)
        case .loginPage(.redirect), .loginPage(.type):
            Phrase("Open a browser on this machine and sign in to this Wi-Fi; then tour-chat sync.")
        case .loginPage(.certificate):
            Phrase(
                """
                Sign in to this Wi-Fi in a browser; set the clock, if it is wrong. A server with a certificate of \
                its own authority wants tour-chat run --mailbox-ca FILE, with a file from the operator.
                """)
        case .loginPage(.marker):
            Phrase(
                """
                Compare the address with the operator's, or sign in to this Wi-Fi in a browser; then tour-chat \
                sync.
                """)
        case .http(_, "unknown-group", _): unknownAdvice(leads: leads)
        case .http(_, "not-a-guide", _):
            account.map { Phrase("Ask the operator to make \($0) a guide; then tour-chat sync.") }
                ?? Phrase("Ask the operator to make your account a guide; then tour-chat sync.")
        case .http(_, "removed", _): Phrase("If that is a mistake, ask a guide for a new code: tour-chat join CODE.")
        case .unauthenticated: Phrase("tour-chat login --phone NUMBER (or --email ADDRESS).")
        case .http(429, _, _), .http(503, _, _): Phrase("The server is busy; it is asked again later by itself.")
        case .noLibrary: Phrase("Install the package libcurl4, then start tour-chat again.")
        case .http, .decoding, .invalidURL, .badAuthority:
            Phrase("Tell the operator the words above; the tour itself goes on without the server.")
        }
    }

    private func unknownAdvice(leads: Bool) -> Phrase {
        guard leads else {
            return Phrase("Ask a guide of this tour to log in at the server, on the guide's own device.")
        }
        return account == nil
            ? Phrase("tour-chat login --phone NUMBER (or --email ADDRESS): then it becomes known by itself.")
            : Phrase("tour-chat sync makes it known, with your account.")
    }

    private func refusedChecks(_ tour: Tour) -> [TourNode.Check] {
        let refused = tour.refused
        guard refused > 0 else { return [] }
        return [
            Check(
                name: Self.name, state: .warning,
                message: Phrase(
                    refused, one: "It does not take \(refused) event.", other: "It does not take \(refused) events."),
                advice: Phrase("'tour-chat status' says why; members have these all the same. Tell the operator."))
        ]
    }

    private var clockChecks: [TourNode.Check] {
        guard let lead = clockLead, abs(lead) > Self.clockLeadMax else { return [] }
        let span = Self.span(seconds: Int(abs(lead) / 1_000))
        return [
            Check(
                name: "clock", state: .warning,
                message: lead > 0
                    ? Phrase("This clock is \(span) behind the server's.")
                    : Phrase("This clock is \(span) ahead of the server's."),
                advice: Phrase(
                    """
                    Set it (timedatectl set-ntp true), so that the times shown are right. Nothing is lost by it.
                    """))
        ]
    }

    /// `40 s`, `3 min`, `2 h`, `5 days`: in the largest unit of which there is more than one.
    private static func span(seconds: Int) -> Phrase {
        switch seconds {
        case ..<120: return Phrase("\(max(seconds, 0)) s")
        case ..<7_200: return Phrase("\(seconds / 60) min")
        case ..<172_800: return Phrase("\(seconds / 3_600) h")
        default:
            let days = seconds / 86_400
            return Phrase(days, one: "\(days) day", other: "\(days) days")
        }
    }

    /// The same span as a time in the past: many languages use other words for that.
    private static func ago(seconds: Int) -> Phrase {
        switch seconds {
        case ..<120: return Phrase("\(max(seconds, 0)) s ago")
        case ..<7_200: return Phrase("\(seconds / 60) min ago")
        case ..<172_800: return Phrase("\(seconds / 3_600) h ago")
        default:
            let days = seconds / 86_400
            return Phrase(days, one: "\(days) day ago", other: "\(days) days ago")
        }
    }
}

extension TourNode {
    /// The doctor's lines on the server, for the chosen tour.
    func serverChecks() async -> [Check] {
        guard let client = mailbox.client else { return ServerStanding().checks(nil) }
        let account = await client.account?.account
        let lead = await client.clockLead
        let session = try? session(nil)
        return ServerStanding(account: account, clockLead: lead, tour: session.map(standing)).checks(
            client.base.description)
    }

    private func standing(_ session: TourSession) -> ServerStanding.Tour {
        var tour = ServerStanding.Tour()
        let sync = session.sync.standing(now: NodeClock.now)
        tour.answeredAgo = sync.secondsSinceAnswer
        tour.isSyncing = sync.isRunning
        tour.problem = sync.problem
        tour.unsynced = session.unsynced
        tour.refused = sync.refused.count
        tour.leads = session.rank.leads
        return tour
    }
}
