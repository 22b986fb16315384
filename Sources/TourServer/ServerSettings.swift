/// How an operator wants the server.
package struct ServerSettings: Sendable {
    /// Where it listens; port 0 is any free one.
    package var host: String
    package var port: Int
    /// Keys, and the database unless it is elsewhere. See `ServerDirectory`.
    package var dataDirectory: String
    /// The SQLite file; nil is one in the data directory.
    package var database: String?
    package var sms: SMSChoice
    /// What sends mail; nil writes it to the log.
    package var mail: SMTPSender.Settings?
    /// A certificate chain and its key, PEM; nil is plain HTTP, for behind a proxy of the same machine.
    package var tls: TLSFiles?
    /// Whether a proxy of the operator stands in front and names the client in X-Forwarded-For.
    package var isBehindProxy: Bool
    /// Another service whose tokens are taken beside our own.
    package var issuer: OutsideIssuer.Settings?

    package init(
        host: String, port: Int, dataDirectory: String, database: String? = nil, sms: SMSChoice = .log,
        tls: TLSFiles? = nil, isBehindProxy: Bool = false, issuer: OutsideIssuer.Settings? = nil
    ) {
        self.host = host
        self.port = port
        self.dataDirectory = dataDirectory
        self.database = database
        self.sms = sms
        self.tls = tls
        self.isBehindProxy = isBehindProxy
        self.issuer = issuer
    }

    package struct TLSFiles: Sendable {
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// What sends text messages.
    package enum SMSChoice: Sendable {
        case log
        case twilio(TwilioSender.Settings)
        case gammu(outbox: String)
    }

    /// The names, with a port unless it is the scheme's own, under which members reach the server; empty: any. Proofs
    /// of membership that were made for another name are refused.
    package var hostNames: [String] = []

    /// Under which address clients reach the server, `https://example.org`; nil: the one that they ask for.
    package var publicURL: String?

    var served: ServedAddress {
        ServedAddress(publicURL: publicURL, isSecure: tls != nil, isBehindProxy: isBehindProxy)
    }

    /// Text messages in a day.
    package var smsPerDay = ServerLimits.smsPerDay
    /// Connections at once. See `ServerLimits.connectionsMax`.
    package var connectionsMax = ServerLimits.connectionsMax
    package var passwordCost = PasswordHasher.Cost.interactive
    /// See `ServerLimits.bodyTimeout`.
    package var bodyTimeout = ServerLimits.bodyTimeout
    /// See `ServerLimits.headTimeout` and `ServerLimits.idleTimeout`.
    package var headTimeout = ServerLimits.headTimeout
    package var idleTimeout = ServerLimits.idleTimeout

    var databasePath: String { database ?? dataDirectory + "/server.sqlite" }
}
