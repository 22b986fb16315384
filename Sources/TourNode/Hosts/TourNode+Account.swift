import TourAPI
import TourMailbox
import TourModel

// The account at the server.
extension TourNode {
    /// The server and the proof with which a user logs in.
    package struct Login: Sendable {
        /// The server's address; nil: the one that is set.
        package var server: String?
        package var proof: ServerAccount.Proof
        /// nil: the account takes none, as far as the user knows.
        package var secondFactor: String?

        package init(server: String?, proof: ServerAccount.Proof, secondFactor: String? = nil) {
            self.server = server
            self.proof = proof
            self.secondFactor = secondFactor
        }
    }

    /// Logs in, or has the server send a code.
    /// - Throws: `APIError`, `NodeError` when no server is named or set.
    package func logIn(_ login: Login) async throws -> ServerLogin {
        let account = try await serverAccount(at: login.server)
        let name = try await account.logIn(login.proof, secondFactor: login.secondFactor)
        if name != nil { requestSyncs() }
        return ServerLogin(server: account.server, account: name, codeSent: name == nil)
    }

    /// A sync may do what only a guide's account may, once that is logged in.
    private func requestSyncs() {
        notebook.assumeIsolated { $0.requestSync() }
        for session in sessions.values { session.sync.request(mailboxHost) }
    }

    /// The account at a server, for what a user asks there.
    /// - Parameter server: the server's address, kept from now on; nil: the one that is set.
    /// - Throws: `APIError`, `NodeError` when no server is named or set.
    package func serverAccount(at server: String? = nil) async throws -> ServerAccount {
        guard !settings.isOffline else { throw NodeError.noMailbox }
        if let server { try await setMailbox(server) }
        guard let client = mailbox.client else { throw NodeError.noMailbox }
        return ServerAccount(client: client)
    }

    /// Without the problem, which has no words here.
    func mailboxStatus(of session: TourSession?) async -> Status.Mailbox? {
        guard let client = mailbox.client else { return nil }
        let account = await client.account?.account
        let lead = await client.clockLead
        let sync = session?.sync.standing(now: NodeClock.now)
        let problem = sync?.problem
        let isRunning = sync?.isRunning == true
        let isFresh = problem == nil && sync?.answeredAt == nil
        let state = isRunning ? "syncing" : problem != nil ? "failed" : isFresh ? "waiting" : "synced"
        return Status.Mailbox(
            server: client.base.description, account: account, state: state,
            lastSync: sync?.answeredAt.map { Timestamp.text(milliseconds: $0) },
            answeredAgo: sync?.secondsSinceAnswer, percent: sync?.percent ?? 100,
            refused: (sync?.refused ?? [:]).values.reduce(into: [:]) { $0[$1, default: 0] += 1 },
            clockLead: lead.map { $0 / 1_000 }, problem: nil)
    }
}
