import HTTPTypes
import Logging
import TourPrint

/// The parts that all routes share. They keep only caches, counters and queues in memory, so that the process may end
/// at any moment: the database and the files hold everything else.
package struct ServerParts: Sendable {
    /// The database.
    package let storage: any Storage
    /// The key for digests and for what is stored sealed.
    package let secret: ServerSecret
    /// Hashes passwords.
    package let passwords: PasswordHasher
    /// Sends SMS.
    package let sms: any SMSSender
    let mail: any MailSender
    let authenticator: Authenticator
    let blobs: BlobStore
    let files: NotebookFiles
    let served: ServedAddress
    let rosters: TourRosters
    let places = AnswerPlaces()
    let news: TourNews
    let heavy = HeavyRequests()
    let rates: Rates
    let readiness: Readiness
    let printing = PrintQueue(
        label: "tour-server.print", waitingMax: ServerLimits.printsWaitingMax,
        perCallerMax: ServerLimits.printsPerCallerMax)
    let smsBudget: SMSBudget
    /// What the operator rules about accounts and tours.
    let rules: ServerSettings.Rules
    let metrics: ServerMetrics
    /// The server's log.
    package let logger: Logger
    /// Microseconds since 1970.
    package let now: @Sendable () -> Int64

    /// - Parameter bytes: where whole blobs and files are; nil: in the directory.
    /// - Parameter now: microseconds since 1970.
    /// - Throws: `unavailable` when a key in the directory cannot be read or created.
    package init(
        storage: any Storage, directory: ServerDirectory, bytes: (any BlobStorage)? = nil, passwords: PasswordHasher,
        sms: any SMSSender,
        mail: any MailSender,
        outside: OutsideIssuer? = nil, rules: ServerSettings.Rules = ServerSettings.Rules(), logger: Logger,
        served: ServedAddress = ServedAddress(),
        liveSilence: Duration = ServerLimits.liveSilence,
        now: @escaping @Sendable () -> Int64
    ) throws(Failure) {
        self.storage = storage
        secret = try ServerSecret(directory: directory)
        self.passwords = passwords
        let bytes = bytes ?? DirectoryBlobs(directory: directory)
        blobs = BlobStore(storage: storage, directory: directory, bytes: bytes)
        files = NotebookFiles(storage: storage, directory: directory, bytes: bytes)
        self.served = served
        rates = Rates(storage: storage, logger: logger, now: now)
        readiness = try Readiness(storage: storage, directory: directory, blobs: bytes)
        self.sms = sms
        metrics = ServerMetrics()
        rosters = TourRosters(storage: storage, metrics: metrics)
        news = TourNews(storage: storage, rosters: rosters, metrics: metrics, silence: liveSilence)
        smsBudget = SMSBudget(storage: storage, caps: rules.smsCaps, logger: logger)
        self.rules = rules
        self.mail = mail
        authenticator = Authenticator(
            storage: storage, keys: try TokenKeys(directory: directory, now: now()), outside: outside,
            secondFactorFrom: rules.secondFactorFrom, bans: Bans(storage: storage, logger: logger))
        self.logger = logger
        self.now = now
    }

    var bans: Bans { authenticator.bans }

    /// Every part of the server that stores data of accounts.
    var holdings: [any AccountHolding] { Self.holdings(secret: secret) }

    /// Those of a server with this secret, for commands of the operator too.
    static func holdings(secret: ServerSecret) -> [any AccountHolding] {
        [
            SessionHolding(secret: secret), SecondFactorHolding(secret: secret), OutsideNameHolding(), TourHolding(),
            InvitationHolding(), NotebookHolding(), OrganisationHolding(),
        ]
    }

    /// Every route of the server.
    package var routes: [Route] {
        OperatorRoutes(parts: self).routes + AccountRoutes(parts: self).routes + ExportRoutes(parts: self).routes
            + PasswordRoutes(parts: self).routes
            + PhoneRoutes(parts: self).routes + EmailRoutes(parts: self).routes + ResetRoutes(parts: self).routes
            + SessionRoutes(parts: self).routes + SecondFactorRoutes(parts: self).routes
            + MemberRoutes(parts: self).routes
            + OrganisationRoutes(parts: self).routes + OrganisationInvitationRoutes(parts: self).routes
            + OrganisationTourRoutes(parts: self).routes
            + GroupRoutes(parts: self).routes
            + InvitationRoutes(parts: self).routes + ArchiveRoutes(parts: self).routes
            + BlobRoutes(parts: self).routes + KeySetRoute(parts: self).routes
            + PushRoutes(parts: self).routes + PullRoutes(parts: self).routes + LiveRoute(parts: self).routes
            + NotebookRoutes(parts: self).routes
            + NoteRoutes(parts: self).routes + ItineraryRoutes(parts: self).routes + StopRoutes(parts: self).routes
    }

    /// The host that a proof must have been made for.
    /// - Throws: `badProof` for a name that is not the server's own, if it has any: another server may have asked a
    ///   member for the proof and pass it on.
    func host(of call: Call) throws(Failure) -> String {
        let host = (call.head.authority ?? "").lowercased()
        guard served.isOwn(host) else { throw Failure(.badProof) }
        return host
    }
}
