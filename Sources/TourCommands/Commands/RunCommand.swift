import ArgumentParser
import Glibc
import Logging
import ServiceLifecycle
import TourAPI
import TourClient
import TourDesktop
import TourJSON
import TourNode
import TourNodeWords
import TourPresentation
import TourSupervision
import TourWeb
import TourWords

/// `run`: the node, in the foreground.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: Phrase("Run this device's node, in the foreground."),
        discussion: Phrase(
            """
            The node finds the others of your tours in the local network, keeps what is written, and passes it on. \
            Ctrl-C or SIGTERM ends it. The first start asks for your name. With --json the first line is \
            {"event":"ready","port":…,"nodeID":…,"tourID":…,"web":…}, later ones say what happens: locked, unlocked, \
            wiped, joined, removed; member (somebody came or went), linked, alone (the last link ended), twin \
            (a copy of this node is online). TOUR_CHAT_LOG sets how much it tells on \
            standard error: trace, debug, info, notice, warning (default), error.

            EXAMPLES
              tour-chat run --name Anna
              tour-chat run --listen 4711 --interface wlan0
              tour-chat run --no-mdns --peer 192.168.1.20:4711
              tour-chat run --mailbox https://tours.example
              tour-chat run --gpsd 192.168.1.30:2947
              tour-chat run --files ask
              tour-chat run --tls-certificate fullchain.pem --tls-key privkey.pem
            """))

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp(Phrase("Your name, as the others see it.")))
    var name: String?
    @Option(
        help: ArgumentHelp(Phrase("TCP port to listen on (default: the last one, or any free one)."), valueName: "port")
    )
    var listen: UInt16?
    @Option(
        name: .customLong("peer"),
        help: ArgumentHelp(Phrase("Also dial this address; may be repeated."), valueName: "host:port"))
    var peers: [String] = []
    @Option(
        name: .customLong("interface"),
        help: ArgumentHelp(Phrase("Use only this network interface; may be repeated (default: all)."), valueName: "if"))
    var interfaces: [String] = []
    @Flag(name: .customLong("no-mdns"), help: ArgumentHelp(Phrase("Neither announce nor look for nodes by mDNS.")))
    var noMDNS = false
    @Flag(help: ArgumentHelp(Phrase("Send nothing by multicast.")))
    var noMulticast = false
    @Option(
        help: ArgumentHelp(
            Phrase("Days after which the keys of a tour that is over for you are wiped; what you can read stays."),
            valueName: "days"))
    var keepKeys = 30
    @Option(
        help: ArgumentHelp(
            Phrase("Sync with this server from now on; off: with none (default: the last one)."), valueName: "url|off"))
    var mailbox: String?
    @Option(
        name: .customLong("mailbox-ca"),
        help: ArgumentHelp(
            Phrase("Trust the authorities in this PEM file for the server, instead of the system's."), valueName: "file"
        ),
        completion: .file())
    var mailboxAuthority: String?
    @Option(
        help: ArgumentHelp(
            Phrase(
                """
                Files that come unasked; small: up to 16 MiB each, always: all, ask: none, wifi-only: the small ones, \
                but not over Bluetooth (default: the last one; at first small).
                """), valueName: "policy"))
    var files: FilePolicy?
    @OptionGroup var receiver: GpsdOption
    @Flag(help: ArgumentHelp(Phrase("Seal a new data directory under a passphrase of fewer than 8 characters too.")))
    var weak = false
    @Option(
        help: ArgumentHelp(
            Phrase("Port of the page on this machine, or off: no page (default: the last one, or any free one)."),
            valueName: "port|off"))
    var web: WebArgument?
    @Option(
        help: ArgumentHelp(
            Phrase("Port of the page for guests, which is there while you let some in (default: 8480, or another)."),
            valueName: "port"))
    var guestsPort: UInt16?
    @OptionGroup var tls: GuestsTLSOptions
    @Option(
        help: ArgumentHelp(
            Phrase("What the desktop notifies you of while nobody is looking at the messages."),
            valueName: "which"))
    var notify: NoticeChoice = .all

    func validate() throws {
        if let name { try NameRule.check(name) }
        guard (0...3_650).contains(keepKeys) else {
            throw ValidationError(Phrase("--keep-keys is a number of days from 0 to 3650, not \(keepKeys)."))
        }
        for peer in peers where !PeerAddress.isValid(peer) {
            throw ValidationError(Phrase("--peer wants HOST:PORT, for IPv6 [ADDRESS]:PORT, not '\(peer)'."))
        }
        if let mailbox { try ServerArgument.check(mailbox, allowsOff: true) }
        if mailboxAuthority != nil, mailbox == nil {
            throw ValidationError(Phrase("--mailbox-ca goes with --mailbox."))
        }
    }

    func run() async throws {
        // A node has threads of its own.
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try await serve() }
    }

    private func serve() async throws {
        let access = try global.access()
        try refuseSecondNode(access.dataDirectory)
        var settings = try access.home(NodeSettings.self, isOffline: false)
        try settings.checkDirectory()
        if !settings.holdsNode { try settings.checkPassphrase(allowsWeak: weak) }
        settings.name = try name ?? askForName(settings)
        settings.listenPort = listen ?? 0
        settings.peers = peers
        settings.interfaces = interfaces
        settings.usesMDNS = !noMDNS
        settings.usesMulticast = !noMulticast
        settings.keyDays = keepKeys
        settings.filePolicy = files
        settings.page = web?.place ?? .last
        settings.guestsPort = guestsPort
        settings.guestsTLS = try tls.chosen()
        settings.gpsd = try receiver.address()
        settings.mailbox = mailbox
        settings.mailboxAuthority = try mailboxAuthority.map(AbsolutePath.of)
        let logger = Self.logger()
        let notices = notices
        let service = try await access.opened(settings) {
            try NodeService(settings: $0, logger: logger, terminal: TerminalSurface(), notices: notices)
        }
        // A node that is locked later must not keep the passphrase.
        settings = settings.withoutPassphrase
        let directory = settings.dataDirectory
        let supervision = Self.supervision(of: directory)
        let group = OwnNode.group(of: service, supervision: supervision, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask {
                do {
                    let report = try await service.ready()
                    supervision?.start()
                    try await announce(report, LocalClient(dataDirectory: directory))
                    for await moment in service.moments { try show(moment) }
                } catch {
                    await group.triggerGracefulShutdown()
                    throw error
                }
            }
            try await tasks.waitForAll()
        }
    }

    /// Where a service manager started this. The node counts as alive while it answers, even if it is locked.
    private static func supervision(of directory: String) -> Supervision? {
        guard let manager = Supervisor(environment: environmentValue) else { return nil }
        let client = LocalClient(dataDirectory: directory)
        return Supervision(of: manager) {
            do {
                _ = try await client.call(.GET, LocalPath.make(["status"]))
                return true
            } catch let failure as CommandFailure {
                return failure.code == "locked"
            } catch {
                return false
            }
        }
    }

    private var notices: NoticeSettings? {
        guard notify != .off else { return nil }
        let hasTerminal = StandardStream.output.isTerminal && !global.json
        return NoticeSettings(choice: notify, language: .ofUser, ring: hasTerminal ? Self.ring : nil)
    }

    /// Rings the terminal's bell.
    @Sendable private static func ring() { try? StandardStream.output.write([0x07]) }

    private func refuseSecondNode(_ directory: String) throws {
        guard let other = try NodeSocket.connect(dataDirectory: directory) else { return }
        close(other.descriptor)
        throw CommandFailure(
            code: "data-directory-in-use",
            message: Phrase("a node is running on \(directory) already (process \(other.processID))"),
            advice: .endOther)
    }

    /// Asks only at the first start, and only where somebody can answer.
    private func askForName(_ settings: NodeSettings) throws -> String? {
        guard !global.json, isatty(0) == 1, StandardStream.output.isTerminal, !settings.holdsNode else {
            return nil
        }
        return try NameQuestion.ask()
    }

    private func announce(_ report: ReadyReport, _ client: LocalClient) async throws {
        let output = global.output
        if output.json {
            try output.object([
                "event": "ready", "port": .number(String(report.port)), "nodeID": .text(report.nodeID),
                "tourID": report.tourID.map { .text($0) } ?? .null, "web": report.web.map { .text($0) } ?? .null,
            ])
            return
        }
        let status = try await client.status()
        let name = output.foreign(report.name, .bold)
        try output.text(
            Phrase("\(name) is online: node \(report.nodeID.prefix(8)), port \(report.port)."),
            Phrase("Data in \(client.dataDirectory)"))
        try warn(status, output)
        try await next(status, client, page: report.web, output)
    }

    /// Prints warnings that the user needs at once.
    private func warn(_ status: Status, _ output: Output) throws {
        let hasDatagrams = ![.off, .blocked].contains(status.multicast)
        if status.discovery.state == "unavailable" {
            let reason = output.foreign(status.discovery.reason ?? "")
            if hasDatagrams {
                try output.text(Phrase("No mDNS (\(reason)): nodes find each other by datagrams."))
            } else {
                try output.text(
                    Phrase("\(output.styled(Phrase("Nobody is found by mDNS:"), .yellow)) \(reason)"),
                    Phrase("'tour-chat doctor' tells more; --peer HOST:PORT works without.").indented)
            }
        }
        if let log = status.ownLog, log != "ready", status.state != .removed {
            let copy = output.styled(Phrase("The data here is a copy."), .yellow)
            let (heard, needed) = StatusWords.witnesses(status)
            try output.text(
                log == "recovering"
                    ? Phrase(
                        """
                        \(copy) Nothing can be written until members near have said what they hold of your messages \
                        (\(heard) of \(needed) have).
                        """)
                    : Phrase("\(copy) Its key is not used any more."),
                Phrase("'tour-chat doctor' tells more.").indented)
        }
    }

    /// Prints an event while the node runs.
    private func show(_ moment: NodeMoment) throws {
        let words = moment.phrase(on: TerminalSurface())
        let output = global.output
        if output.json {
            return try output.object(["event": .text(moment.kind), "text": .text(words.english)])
        }
        try output.text(Phrase(verbatim: output.foreign(words.text)))
    }

    private func next(_ status: Status, _ client: LocalClient, page: String?, _ output: Output) async throws {
        if let page {
            try output.text(
                Phrase(
                    "The page, for the browser on this machine (whoever has this address can read and write as you):"),
                Phrase(verbatim: output.styled(page, .bold)).indented)
        }
        if let tour = status.tourID {
            let details: TourDetails = try await client.ask(.GET, LocalPath.make(["tours", tour]))
            try output.text(
                StatusWords.standing(
                    of: output.foreign(status.tourName ?? "", .bold), members: status.members),
                Phrase("In another terminal:"))
            var commands = [("tour-chat chat", Phrase("talk"))]
            if details.role != "member" {
                commands.append(("tour-chat tour invite", Phrase("the code that lets others join")))
            }
            try show(commands, output)
        } else {
            try output.text(Phrase("No tour yet. In another terminal:"))
            try show(
                [
                    ("tour-chat tour create \"NAME\"", Phrase("start one, as its guide")),
                    ("tour-chat join CODE", Phrase("join one, with the guide's code")),
                ], output)
        }
        try output.text(Phrase("Ctrl-C ends the node."))
    }

    private func show(_ commands: [(command: String, words: Phrase)], _ output: Output) throws {
        var table = Table()
        for (command, words) in commands { table.add([.init("  \(command)  "), .init(words)]) }
        try output.table(table)
    }

    private static func logger() -> Logger {
        var logger = Logger(label: "tour-chat") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = environmentValue("TOUR_CHAT_LOG").flatMap(Logger.Level.init(rawValue:)) ?? .warning
        return logger
    }
}

extension FilePolicy: ExpressibleByArgument {}

extension NoticeChoice: ExpressibleByArgument {}

/// The value of `--web`.
enum WebArgument: ExpressibleByArgument, Sendable {
    case port(UInt16)
    case off

    var place: PagePlace {
        switch self {
        case .port(let port): .port(port)
        case .off: .off
        }
    }

    init?(argument: String) {
        if argument == "off" {
            self = .off
        } else if let port = UInt16(argument) {
            self = .port(port)
        } else {
            return nil
        }
    }
}
