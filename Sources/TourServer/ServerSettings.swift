import ServerAccounts
import ServerBase
import ServerRequests
import ServerStorage

/// The operator's settings of the server.
package struct ServerSettings: Sendable {
    /// Where clients reach the server.
    package var listener: Listener
    /// The address to listen on.
    package var host: String { listener.host }
    /// The port to listen on; 0 means any free one.
    package var port: Int { listener.port }
    /// The directory of keys and files, and of the database unless `database` names another place. See
    /// `ServerDirectory`.
    package var dataDirectory: String
    /// The SQLite file, or the address of a PostgreSQL database (see `PostgresAddress`); nil: `server.sqlite` in the
    /// data directory.
    package var database: String?
    /// A file with the password of the PostgreSQL database; nil: libpq finds one itself, or needs none.
    package var databasePasswordFile: String?
    /// What names the database.
    var databasePlace: String { database ?? dataDirectory + "/server.sqlite" }
    /// The PostgreSQL database; nil: the place is an SQLite file's.
    var postgres: PostgresAddress? { PostgresAddress(databasePlace, passwordFile: databasePasswordFile) }

    /// The bucket of whole blobs and files; nil: they are in the data directory.
    package var blobs: S3Options?

    /// Where whole blobs and files are.
    /// - Throws: `unavailable` for options that name no bucket, or without credentials.
    func blobStorage(_ directory: ServerDirectory) throws(Failure) -> any BlobStorage {
        if let blobs { return try S3Blobs(blobs) }
        return DirectoryBlobs(directory: directory)
    }

    /// The sender of SMS.
    package var sms: SMSChoice
    /// The mail server; nil writes mail to the log.
    package var mail: SMTPSettings?
    /// A certificate chain and its key; nil means plain HTTP, behind a proxy on the same machine.
    package var tls: TLSFiles?
    /// Whether the operator runs a proxy in front, which names the client in X-Forwarded-For.
    package var isBehindProxy: Bool
    /// Another service whose tokens are accepted beside the server's own.
    package var issuer: OutsideIssuer.Settings?

    /// Settings with defaults for development: SMS and mail go to the log.
    package init(
        host: String, port: Int, dataDirectory: String, database: String? = nil, sms: SMSChoice = .log,
        tls: TLSFiles? = nil, isBehindProxy: Bool = false, issuer: OutsideIssuer.Settings? = nil
    ) {
        listener = Listener(host: host, port: port)
        self.dataDirectory = dataDirectory
        self.database = database
        self.sms = sms
        self.tls = tls
        self.isBehindProxy = isBehindProxy
        self.issuer = issuer
    }

    /// A certificate chain and its key, as PEM files.
    package struct TLSFiles: Sendable {
        /// The path of the certificate chain.
        package var certificate: String
        /// The path of the private key.
        package var key: String

        /// - Parameter certificate: the path of the chain, the server's own certificate first.
        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// A sender of SMS.
    package enum SMSChoice: Sendable {
        /// Writes SMS to the log: see `LogSender`.
        case log
        /// Sends through Twilio's API.
        case twilio(TwilioSender.Settings)
        /// Sends through gammu-smsd, whose outbox folder this is.
        case gammu(outbox: String)
    }

    /// The names by which members reach the server, with the port unless it is the scheme's default; empty: any. Proofs
    /// of membership that were made for another name are refused.
    package var hostNames: [String] = []

    /// Whose pages may call the server from a browser.
    package var origins = AllowedOrigins()

    /// The address by which clients reach the server, such as `https://example.org`; nil: the host of each request.
    package var publicURL: String?

    var served: ServedAddress {
        ServedAddress(
            publicURL: publicURL, isSecure: tls != nil, isBehindProxy: isBehindProxy, names: hostNames)
    }

    /// What the operator rules about accounts and tours.
    package struct Rules: Hashable, Sendable {
        /// The rule about new accounts.
        package var registration = Registration()
        /// How often one address may ask for what a whole group asks for that shares it.
        package var addressBounds = AddressBounds()
        /// For how many days an entry of the audit log stays.
        package var keepAudit = Int(ServerLimits.auditLifetime / 86_400)
        /// The room that notebooks have.
        package var rooms = AccountRooms()
        /// SMS that the server may send.
        package var smsCaps = SMSCaps()
        /// The lowest role that counts only with a second factor; nil: none.
        package var secondFactorFrom: AccountRole?
        /// The lowest role whose accounts may make organisations; nil: the operator alone makes them.
        package var organisationsFrom: AccountRole?
        /// For how many days a tour stays in which nothing is written; nil: for ever.
        package var keepTours: Int?

        /// Rules of a server whose operator has not set any.
        package init() {}
    }

    /// Where the operator's listener is, by plain HTTP; nil: there is none.
    package var operatorListener: Listener?

    /// The operator's page; nil: there is none.
    package var adminPage: AdminPage?

    /// Where the operator's page is.
    package struct AdminPage: Sendable {
        /// Where the server listens for it, by plain HTTP.
        package let listener: Listener
        /// The address by which the operator reaches it through a proxy, such as `https://admin.example.org`; nil: that
        /// of the listener.
        package let url: String?

        /// - Returns: nil where what opens the page would go over a network that others read: for a listener beyond
        ///   this machine without a proxy in front that has a certificate; and for a URL with a path, or without TLS.
        package init?(listener: Listener, url: String? = nil) {
            // Browsers leave out the port that is meant without one, and name no path in an origin.
            let origin = url?.replacing(/(:443)?\/?$/, with: "")
            if let origin, origin.wholeMatch(of: /https:\/\/[^\s\/?#@]+/) == nil { return nil }
            guard listener.isThisMachine || origin != nil else { return nil }
            self.listener = listener
            self.url = origin
        }
    }

    /// An address and a port.
    package struct Listener: Hashable, Sendable {
        /// The address to listen on.
        package var host: String
        /// The port to listen on; 0 means any free one.
        package var port: Int

        /// Whether only programs on this machine reach it.
        var isThisMachine: Bool { PageAddress.isThisMachine(host) }

        /// A place to listen.
        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    /// What the operator rules about accounts and tours.
    package var rules = Rules()
    /// Connections at once. See `ServerLimits.connectionsMax`.
    package var connectionsMax = ServerLimits.connectionsMax
    /// The cost of hashing a password.
    package var passwordCost = PasswordHasher.Cost.interactive
    /// How long clients are waited for.
    package var patience = Patience()

    /// How long clients are waited for.
    package struct Patience: Sendable {
        /// See `ServerLimits.headTimeout`.
        package var head = ServerLimits.headTimeout
        /// See `ServerLimits.bodyTimeout`.
        package var body = ServerLimits.bodyTimeout
        /// See `ServerLimits.idleTimeout`.
        package var idle = ServerLimits.idleTimeout
        /// See `ServerLimits.liveSilence`.
        package var live = ServerLimits.liveSilence
        /// See `ServerLimits.farewellTime`.
        package var farewell = ServerLimits.farewellTime
    }
}
