import TourMailbox
import TourModel

/// How this node stands with its server.
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

    /// What follows for a sync that failed.
    package struct Trouble: Hashable, Sendable {
        /// Seconds since the server last answered; nil: not since the start.
        package var answeredAgo: Int?
        /// Events that no server is known to have.
        package var waiting = 0
        /// Whether this member may register the tour with the server.
        package var leads = false
        /// The account that is logged in.
        package var account: String?

        package init() {}
    }

    /// What the doctor finds about the server.
    /// - Parameter server: its address; nil where none is set.
    package func findings(_ server: String?) -> [ServerFinding] {
        guard let server else { return [.none] }
        guard let tour else { return [.noTour(server)] }
        let refused = tour.refused > 0 ? [ServerFinding.refuses(tour.refused)] : []
        return [finding(tour, server)] + refused + clockFinding
    }

    private func finding(_ tour: Tour, _ server: String) -> ServerFinding {
        let waiting = Int(clamping: tour.unsynced)
        if let problem = tour.problem {
            var trouble = Trouble()
            trouble.answeredAgo = tour.answeredAgo
            trouble.waiting = waiting
            trouble.leads = tour.leads
            trouble.account = account
            return .failed(server, problem, trouble)
        }
        guard let ago = tour.answeredAgo else { return .asked(server) }
        return .reached(server, secondsAgo: ago, waiting: waiting, isSyncing: tour.isSyncing)
    }

    private var clockFinding: [ServerFinding] {
        guard let lead = clockLead, abs(lead) > Self.clockLeadMax else { return [] }
        return [.clockLead(lead)]
    }
}

extension TourNode {
    /// What the doctor finds about the server, for the chosen tour.
    func serverFindings() async -> [Finding] {
        guard let client = mailbox.client else { return ServerStanding().findings(nil).map(Finding.server) }
        let account = await client.account?.account
        let lead = await client.clockLead
        let session = try? session(nil)
        return ServerStanding(account: account, clockLead: lead, tour: session.map(standing))
            .findings(client.base.description).map(Finding.server)
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
