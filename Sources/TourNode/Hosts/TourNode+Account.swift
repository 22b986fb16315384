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

    /// How the node is logged in.
    package struct Account: Encodable, Sendable {
        /// The server's address.
        package var server: String
        /// The account that is logged in; nil after a code was sent.
        @Nullable package var account: String?
        /// A code is on its way to the phone.
        package var codeSent: Bool
    }

    /// Logs in, or has the server send a code.
    /// - Throws: `APIError`, `NodeError` when no server is named or set.
    package func logIn(_ login: Login) async throws -> Account {
        let account = try await serverAccount(at: login.server)
        let name = try await account.logIn(login.proof, secondFactor: login.secondFactor)
        if name != nil { requestSyncs() }
        return Account(server: account.server, account: name, codeSent: name == nil)
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

    /// How a tour stands with the server. Shape: `Protocol/Schema/local-api.yaml`.
    package struct MailboxStatus: Sendable {
        /// The server's address.
        package var server: String
        /// The account that is logged in; nil: none.
        package var account: String?
        /// `waiting` before the first sync, `syncing`, `synced`, `failed`.
        package var state: String
        /// When the server last answered, by its clock.
        package var lastSync: String?
        /// Seconds since the server's last answer; nil: none since the node started.
        package var answeredAgo: Int?
        /// 0 to 100, of the sync in progress.
        package var percent: Int
        /// Events that the server rejects, counted by its codes.
        package var refused: [String: Int]
        /// The server's clock less ours, in seconds; nil before the server answered.
        package var clockLead: Int64?
        /// Why the last sync failed; nil if it went well.
        package var problem: APIError?
    }

    func mailboxStatus(of session: TourSession?) async -> MailboxStatus? {
        guard let client = mailbox.client else { return nil }
        let account = await client.account?.account
        let lead = await client.clockLead
        let sync = session?.sync.standing(now: NodeClock.now)
        let problem = sync?.problem
        let isRunning = sync?.isRunning == true
        let isFresh = problem == nil && sync?.answeredAt == nil
        let state = isRunning ? "syncing" : problem != nil ? "failed" : isFresh ? "waiting" : "synced"
        return MailboxStatus(
            server: client.base.description, account: account, state: state,
            lastSync: sync?.answeredAt.map { Timestamp.text(milliseconds: $0) },
            answeredAgo: sync?.secondsSinceAnswer, percent: sync?.percent ?? 100,
            refused: (sync?.refused ?? [:]).values.reduce(into: [:]) { $0[$1, default: 0] += 1 },
            clockLead: lead.map { $0 / 1_000 }, problem: problem)
    }

    /// Whether this can be the address of a server.
    package static func isServer(_ text: String) -> Bool { (try? MailboxBase(text)) != nil }
}
