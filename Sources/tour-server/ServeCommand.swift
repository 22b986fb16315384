import ArgumentParser
import CProcess
import Glibc
import Logging
import ServerAccounts
import ServerBase
import ServerRequests
import ServiceLifecycle
import TourServer
import TourSupervision
import UnixSignals

/// `serve`: the server, in the foreground.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server, in the foreground.",
        discussion: """
            Ctrl-C or SIGTERM ends it in good order; at SIGHUP it reads its certificate again. The first line is \
            {"event":"ready","port":…}; the log goes to standard error, TOUR_SERVER_LOG sets how much (debug, info, \
            notice, warning, error; default info). Without a file Twilio takes TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN \
            and TWILIO_FROM from the environment, and --smtp takes SMTP_USER and SMTP_PASSWORD.

            EXAMPLES
              tour-server serve --config /etc/tour-server.toml
              tour-server serve --config /etc/tour-server.toml --listen 127.0.0.1:8081

            THE FILE
              listen = "0.0.0.0:8443"
              tls-certificate = "/etc/tour-server/chain.pem"
              tls-key = "/etc/tour-server/key.pem"
              host-name = ["tours.example:8443"]
              sms = "twilio"
              twilio-account-sid = "AC…"
              twilio-auth-token = "…"
              twilio-from = "+15005550006"
              smtp = "smtp://mail.example.org"
              smtp-user = "tours@example.org"
              smtp-password = "…"
              mail-from = "Tours <tours@example.org>"

            Also log-level stands only in the file. One with a secret must not be readable for everybody: chmod o-rwx.
            """)

    @OptionGroup var place: PlaceOptions
    @Option(help: ArgumentHelp("Address to listen on.", valueName: "host:port"))
    var listen = "127.0.0.1:8080"
    @Option(
        help: ArgumentHelp(
            "Address for /healthz, /readyz and /metrics alone, by plain HTTP: none but your own programs may reach it.",
            valueName: "host:port"))
    var operatorListen: String?
    @OptionGroup var texts: SMSOptions
    @Option(help: ArgumentHelp("Text messages that it sends in a day at most.", valueName: "count"))
    var smsPerDay = ServerLimits.smsPerDay
    @Option(
        help: ArgumentHelp(
            "Of these, to the numbers of any one country at most (100), or of this one (90=1000); repeatable.",
            valueName: "count|prefix=count"))
    var smsPerPrefix: [String] = []
    @OptionGroup var mail: MailOptions
    @Option(help: ArgumentHelp("Certificate chain, PEM.", valueName: "file"))
    var tlsCertificate: String?
    @Option(help: ArgumentHelp("Private key of the certificate, PEM.", valueName: "file"))
    var tlsKey: String?
    @Option(
        help: ArgumentHelp(
            "A name under which members reach the server; proofs for others are refused.", valueName: "host"))
    var hostName: [String] = []
    @Option(
        help: ArgumentHelp(
            "The address under which clients reach the server, for links to files; else the one they ask for.",
            valueName: "url"))
    var publicURL: String?
    @Option(
        help: ArgumentHelp(
            "An origin whose web pages may call the server, such as https://app.example.org; * for all; repeatable.",
            valueName: "origin"))
    var allowOrigin: [String] = []
    @OptionGroup var page: AdminPageOptions
    @OptionGroup var outside: IssuerOptions
    @OptionGroup var ruled: RuleOptions
    @Option(help: ArgumentHelp("The log's form: text, or json, one object a line.", valueName: "form"))
    var logFormat = "text"
    @Flag(help: "Take the client's address from X-Forwarded-For: only behind a proxy of your own.")
    var behindProxy = false

    func validate() throws {
        _ = try (address(), operatorListener())
        guard ["text", "json"].contains(logFormat) else { throw ValidationError("--log-format wants text or json.") }
        _ = try mail.settings()
        _ = try (smsCaps(), origins())
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key belong together.")
        }
        if let publicURL, publicURL.wholeMatch(of: /https?:\/\/[^\s\/?#]+(?:\/[^\s?#]*)?/) == nil {
            throw ValidationError("--public-url wants https://HOST, not '\(publicURL)'.")
        }
    }

    /// Throws what a start would say of these options alone.
    func check() throws { _ = try texts.choice() }

    func run() async throws {
        let address = try address()
        let operatorListener = try operatorListener()
        var settings = place.settings
        settings.listener = address
        settings.operatorListener = operatorListener
        settings.adminPage = try page.settings()
        settings.sms = try texts.choice()
        settings.tls = tlsFiles
        settings.isBehindProxy = behindProxy
        settings.issuer = outside.settings
        settings.hostNames = hostName
        settings.publicURL = publicURL
        settings.origins = try origins()
        settings.rules = ruled.rules(try smsCaps())
        settings.mail = try mail.settings()
        settings.connectionsMax = ServerLimits.connectionsMax(
            descriptors: Int(process_raise_descriptors(UInt(ServerLimits.descriptorsMax))), isSecure: tlsFiles != nil)
        let logger = logger()
        let supervision = try Supervisor(environment: environmentValue).map { manager in
            let door = try OpenedServer(settings: settings)
            return Supervision(of: manager) { await door.isAnswering() }
        }
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        let (reloads, source) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let listening = Task { for await _ in hangups { source.yield() } }
        defer { listening.cancel() }
        let server = TourServer(settings: settings, logger: logger, reloads: reloads) { ports in
            let more = [("operator_port", ports.operatorPort), ("admin_port", ports.adminPort)]
                .map { name, port in port.map { ",\"\(name)\":\($0)" } ?? "" }.joined()
            printLine("{\"event\":\"ready\",\"port\":\(ports.port)\(more)}")
            supervision?.start()
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: server)] + (supervision.map { [.init(service: $0)] } ?? []),
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }

    private func smsCaps() throws -> SMSCaps {
        guard (4...ServerLimits.smsPerDayMax).contains(smsPerDay) else {
            throw ValidationError("--sms-per-day wants 4 to \(ServerLimits.smsPerDayMax).")
        }
        guard let caps = SMSCaps(perDay: smsPerDay, prefixes: smsPerPrefix) else {
            throw ValidationError(
                """
                --sms-per-prefix wants a number up to \(ServerLimits.smsPerDayMax), or PREFIX=COUNT with the digits of \
                a country such as 90, each once.
                """)
        }
        return caps
    }

    private func origins() throws -> AllowedOrigins {
        guard let origins = AllowedOrigins(allowOrigin) else {
            throw ValidationError(
                """
                --allow-origin wants https://HOST[:PORT] as browsers write it, without a path or :443, or *; \
                \(AllowedOrigins.countMax) of them at most.
                """)
        }
        return origins
    }

    private func address() throws -> ServerSettings.Listener {
        try ServerSettings.Listener(written: listen, option: "--listen")
    }

    private func operatorListener() throws -> ServerSettings.Listener? {
        try operatorListen.map { try ServerSettings.Listener(written: $0, option: "--operator-listen") }
    }

    private var tlsFiles: ServerSettings.TLSFiles? {
        guard let tlsCertificate, let tlsKey else { return nil }
        return ServerSettings.TLSFiles(certificate: tlsCertificate, key: tlsKey)
    }

    private func logger() -> Logger {
        let isJSON = logFormat == "json"
        var logger = Logger(label: "tour-server") { label in
            guard isJSON else { return StreamLogHandler.standardError(label: label) }
            return JSONLogHandler { printLine($0, to: STDERR_FILENO) }
        }
        logger.logLevel = environmentValue("TOUR_SERVER_LOG").flatMap(Logger.Level.init(rawValue:)) ?? .info
        return logger
    }
}
