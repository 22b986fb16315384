import HTTPTypes
import Logging
import ServerAccounts
import ServerBase
import ServerNotebook
import ServerRequests
import ServerStorage
import ServerTours
import TourPrint

/// The parts of a running server: those that routes of every subject share, and those of single subjects. They keep
/// only caches, counters and queues in memory, so that the process may end at any moment: the database and the files
/// hold everything else.
package struct ServerParts: Sendable {
    /// The parts that routes of every subject share.
    let requests: RequestParts
    let blobs: BlobStore
    let files: NotebookFiles
    let notebooks: NotebooksRoom
    let rosters: TourRosters
    let news: TourNews
    let readiness: Readiness
    let printing = PrintQueue(
        label: "tour-server.print", waitingMax: ServerLimits.printsWaitingMax,
        perCallerMax: ServerLimits.printsPerCallerMax)
    /// What the operator rules about accounts and tours.
    let rules: ServerSettings.Rules

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
        let secret = try ServerSecret(directory: directory)
        let bytes = bytes ?? DirectoryBlobs(directory: directory)
        blobs = BlobStore(storage: storage, directory: directory, bytes: bytes)
        notebooks = NotebooksRoom(rules.rooms)
        files = NotebookFiles(storage: storage, directory: directory, bytes: bytes, room: notebooks)
        let keys = try TokenKeys(directory: directory, now: now(), logger: logger)
        readiness = try Readiness(storage: storage, directory: directory, blobs: bytes, keys: keys)
        let authenticator = Authenticator(
            storage: storage, keys: keys, outside: outside, secondFactorFrom: rules.secondFactorFrom,
            bans: Bans(storage: storage, logger: logger), notebooks: notebooks)
        requests = RequestParts(
            storage: storage, secret: secret, passwords: passwords, sms: sms, mail: mail, smsCaps: rules.smsCaps,
            authenticator: authenticator, registration: rules.registration, addressBounds: rules.addressBounds,
            served: served, logger: logger, now: now)
        rosters = TourRosters(storage: storage, metrics: requests.metrics)
        news = TourNews(storage: storage, rosters: rosters, metrics: requests.metrics, silence: liveSilence)
        self.rules = rules
    }

    /// Every part of the server that stores data of accounts.
    var holdings: [any AccountHolding] { Self.holdings(secret: requests.secret) }

    /// Those of a server with this secret, for commands of the operator too.
    static func holdings(secret: ServerSecret) -> [any AccountHolding] {
        [
            SessionHolding(secret: secret), SecondFactorHolding(secret: secret), OutsideNameHolding(), TourHolding(),
            InvitationHolding(), NotebookHolding(), OrganisationHolding(),
        ]
    }

    /// Every route of the server.
    package var routes: [Route] {
        OperatorRoutes(parts: self).routes + ExportRoutes(parts: self).routes
            + Route.accounts(
                requests, holdings: holdings,
                sweepFiles: { [files] () async throws(Failure) in try await files.sweepDropped() })
            + Route.tours(
                requests, rosters: rosters, news: news, blobs: blobs, organisationsFrom: rules.organisationsFrom)
            + Route.notebooks(requests, files: files, printing: printing)
    }
}
