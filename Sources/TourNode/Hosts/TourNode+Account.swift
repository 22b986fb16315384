import TourMailbox
import TourModel

// The account at the server.
extension TourNode {
    /// The server and the proof with which a user logs in.
    package struct Login: Sendable {
        /// The proof of identity.
        package enum Proof: Sendable {
            case password(email: String, String)
            /// Asks the server to send a code to this phone.
            case phone(String)
            case code(phone: String, String)
        }

        /// The server's address; nil: the one that is set.
        package var server: String?
        package var proof: Proof

        package init(server: String?, proof: Proof) {
            self.server = server
            self.proof = proof
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
        guard !settings.isOffline else { throw NodeError.noMailbox }
        if let server = login.server { try await setMailbox(server) }
        guard let client = mailbox.client else { throw NodeError.noMailbox }
        let server = client.base.description
        switch login.proof {
        case .phone(let phone):
            try await client.requestCode(phone: phone)
            return Account(server: server, account: nil, codeSent: true)
        case .code(let phone, let code):
            try await client.logIn(phone: phone, code: code)
            return loggedIn(phone, server)
        case .password(let email, let password):
            try await client.logIn(email: email, password: password)
            return loggedIn(email, server)
        }
    }

    /// Asks for syncs, which may now do what only a guide's account may.
    private func loggedIn(_ account: String, _ server: String) -> Account {
        notebook.assumeIsolated { $0.requestSync() }
        for session in sessions.values { session.sync.request(mailboxHost) }
        return Account(server: server, account: account, codeSent: false)
    }

    /// Ends the session at the server, and forgets its tokens.
    package func logOut() async throws {
        guard let client = mailbox.client else { throw NodeError.noMailbox }
        try await client.logOut()
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
}

extension TourNode {
    /// Whether this can be the address of a server.
    package static func isServer(_ text: String) -> Bool { (try? MailboxBase(text)) != nil }
}
