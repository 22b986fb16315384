import ArgumentParser
import Glibc
import Logging
import ServiceLifecycle
import TourNode
import TourWeb

/// `run`: the node, in the foreground.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run this device's node, in the foreground.",
        discussion: """
            The node finds the others of your tours in the local network, keeps what is written, and passes it on. \
            Ctrl-C or SIGTERM ends it. The first start asks for your name. With --json the first line is \
            {"event":"ready","port":…,"nodeID":…,"tourID":…,"web":…}, later ones say what happens: locked, unlocked, \
            wiped, joined, removed; member (somebody came or went), linked, alone (the last link ended), twin \
            (a copy of this node is on the air). TOUR_CHAT_LOG sets how much it tells on \
            standard error: trace, debug, info, notice, warning (default), error.

            EXAMPLES
              tour-chat run --name Anna
              tour-chat run --listen 4711 --interface wlan0
              tour-chat run --no-mdns --peer 192.168.1.20:4711
              tour-chat run --mailbox https://tours.example
              tour-chat run --gpsd 192.168.1.30:2947
              tour-chat run --files ask
            """)

    @OptionGroup var global: GlobalOptions
    @Option(help: "Your name, as the others see it.")
    var name: String?
    @Option(help: ArgumentHelp("TCP port to listen on (default: the last one, or any free one).", valueName: "port"))
    var listen: UInt16 = 0
    @Option(
        name: .customLong("peer"),
        help: ArgumentHelp("Also dial this address; may be repeated.", valueName: "host:port"))
    var peers: [String] = []
    @Option(
        name: .customLong("interface"),
        help: ArgumentHelp("Use only this network interface; may be repeated (default: all).", valueName: "if"))
    var interfaces: [String] = []
    @Flag(name: .customLong("no-mdns"), help: "Neither announce nor look for nodes by mDNS.")
    var noMDNS = false
    @Flag(help: "Send nothing by multicast.")
    var noMulticast = false
    @Option(
        help: ArgumentHelp(
            "Days after which the keys of a tour that is over for you are wiped; what you can read stays.",
            valueName: "days"))
    var keepKeys = 30
    @Option(
        help: ArgumentHelp(
            "Sync with this server from now on; off: with none (default: the last one).", valueName: "url|off"))
    var mailbox: String?
    @Option(
        name: .customLong("mailbox-ca"),
        help: ArgumentHelp(
            "Trust the authorities in this PEM file for the server, instead of the system's.", valueName: "file"),
        completion: .file())
    var mailboxAuthority: String?
    @Option(
        help: ArgumentHelp(
            "Files that come unasked; always: all, ask: none, wifi-only: all, but not over Bluetooth (default: the "
                + "last one; at first always).", valueName: "policy"))
    var files: FilePolicy?
    @OptionGroup var receiver: GpsdOption
    @Flag(help: "Seal a new data directory under a passphrase of fewer than 8 characters too.")
    var weak = false
    @Option(
        help: ArgumentHelp(
            "Port of the page on this machine, or off. This version has no page yet.", valueName: "port|off"))
    var web: WebArgument?

    func validate() throws {
        if let name { try NameRule.check(name) }
        guard (0...3_650).contains(keepKeys) else {
            throw ValidationError("--keep-keys is a number of days from 0 to 3650, not \(keepKeys).")
        }
        for peer in peers where !PeerAddress.isValid(peer) {
            throw ValidationError("--peer wants HOST:PORT, for IPv6 [ADDRESS]:PORT, not '\(peer)'.")
        }
        if let mailbox { try ServerArgument.check(mailbox, allowsOff: true) }
        if mailboxAuthority != nil, mailbox == nil { throw ValidationError("--mailbox-ca goes with --mailbox.") }
    }

    func run() async throws {
        // A node has threads of its own.
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try await serve() }
    }

    private func serve() async throws {
        let access = try global.access()
        try refuseSecondNode(access.dataDirectory)
        var settings = try access.settings(isOffline: false)
        try settings.checkDirectory()
        if !settings.holdsNode { try settings.checkPassphrase(allowsWeak: weak) }
        settings.name = try name ?? askForName(settings)
        settings.listenPort = listen
        settings.peers = peers
        settings.interfaces = interfaces
        settings.usesMDNS = !noMDNS
        settings.usesMulticast = !noMulticast
        settings.keyDays = keepKeys
        settings.filePolicy = files
        settings.gpsd = try receiver.address()
        settings.mailbox = mailbox
        settings.mailboxAuthority = try mailboxAuthority.map(AbsolutePath.of)
        let logger = Self.logger()
        let service = try await access.opened(settings) { try NodeService(settings: $0, logger: logger) }
        // A node that is locked later knows it no more.
        settings = settings.withoutPassphrase
        let group = OwnNode.group(of: service, logger: logger)
        let directory = settings.dataDirectory
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask {
                do {
                    try await announce(service.ready(), LocalClient(dataDirectory: directory))
                    for await moment in service.moments { try tell(moment) }
                } catch {
                    await group.triggerGracefulShutdown()
                    throw error
                }
            }
            try await tasks.waitForAll()
        }
    }

    private func refuseSecondNode(_ directory: String) throws {
        guard let other = try NodeSocket.connect(dataDirectory: directory) else { return }
        close(other.descriptor)
        throw CommandFailure(
            code: "data-directory-in-use",
            message: "a node is running on \(directory) already (process \(other.processID))")
    }

    /// Only at the first start, and only where somebody can answer.
    private func askForName(_ settings: NodeSettings) throws -> String? {
        guard !global.json, isatty(0) == 1, StandardStream.output.isTerminal, !settings.holdsNode else {
            return nil
        }
        let suggestion = environmentValue("USER") ?? ""
        while true {
            let hint = suggestion.isEmpty ? "" : " [\(TerminalText.safe(suggestion))]"
            try StandardStream.output.write("Your name, as the others will see it\(hint): ".utf8)
            guard let line = readLine() else { return nil }
            let answer = line.isEmpty ? suggestion : line
            do {
                try NameRule.check(answer)
                return answer
            } catch {
                try StandardStream.output.line("  \(error)")
            }
        }
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
        let status = try await client.call(.GET, LocalPath.make(["status"]))
        try output.text(
            "\(output.foreign(report.name, .bold)) is on the air: "
                + "node \(report.nodeID.prefix(8)), port \(report.port).",
            "Data in \(client.dataDirectory)")
        let hasDatagrams = !["off", "blocked"].contains(status.shown("multicast"))
        if let discovery = status["discovery"], discovery["state"]?.text == "unavailable", hasDatagrams {
            try output.text(
                "No mDNS (\(output.foreign(discovery.shown("reason")))): nodes find each other by datagrams.")
        } else if let discovery = status["discovery"], discovery["state"]?.text == "unavailable" {
            try output.text(
                output.styled("Nobody is found by mDNS: ", .yellow) + output.foreign(discovery.shown("reason")),
                "  'tour-chat doctor' tells more; --peer HOST:PORT works without.")
        }
        if let log = status["ownLog"]?.text, log != "ready", status["state"]?.text != "removed" {
            try output.text(
                output.styled("The data here is a copy. ", .yellow)
                    + (log == "recovering"
                        ? "Nothing can be written until a member is in reach." : "Its key is not used any more."),
                "  'tour-chat doctor' tells more.")
        }
        if case .port = web { try output.text("The page is not part of this version; --web has no effect.") }
        try await next(status, client, output)
    }

    /// What happens while it runs.
    private func tell(_ moment: NodeMoment) throws {
        let output = global.output
        if output.json {
            return try output.object(["event": .text(moment.kind.rawValue), "text": .text(moment.text)])
        }
        try output.text(output.foreign(moment.text))
    }

    private func next(_ status: JSON, _ client: LocalClient, _ output: Output) async throws {
        if let tour = status["tourID"]?.text {
            let role = try await client.call(.GET, LocalPath.make(["tours", tour])).shown("role")
            try output.text(
                "Tour \(output.foreign(status.shown("tourName"), .bold)), \(status.shown("members")) members.",
                "In another terminal:",
                "  tour-chat chat           talk")
            if role != "member" {
                try output.text("  tour-chat tour invite    the code that lets others join")
            }
        } else {
            try output.text(
                "No tour yet. In another terminal:",
                "  tour-chat tour create \"NAME\"    start one, as its guide",
                "  tour-chat join CODE             join one, with the guide's code")
        }
        try output.text("Ctrl-C ends the node.")
    }

    private static func logger() -> Logger {
        var logger = Logger(label: "tour-chat") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = environmentValue("TOUR_CHAT_LOG").flatMap(Logger.Level.init(rawValue:)) ?? .warning
        return logger
    }
}

extension FilePolicy: ExpressibleByArgument {}

/// The value of `--web`.
enum WebArgument: ExpressibleByArgument, Sendable {
    case port(UInt16)
    case off

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
