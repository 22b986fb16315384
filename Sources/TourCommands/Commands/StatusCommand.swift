import ArgumentParser
import TourModel
import TourNode
import TourWeb

/// `status`
struct StatusCommand: TaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "How this node is doing.",
        discussion: """
            EXAMPLES
              tour-chat status
              tour-chat status --json
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice

    var ready: ReadyTask { ReadyTask(setting: global.setting, task: StatusTask(chosenTour: choice.tour)) }
}

/// Shows how the node is doing.
struct StatusTask: NodeTask {
    let chosenTour: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let status = try await client.call(.GET, LocalPath.make(["status"], query: [("tour", chosenTour)]))
        if output.json { return try output.object(status) }
        var table = Table()
        table.add(["Name", .init(status.shown("name"), .bold)])
        table.add(["Node", .init("\(status.shown("nodeID").prefix(8)), version \(status.shown("version"))")])
        table.add(["Listening on", .init(listening(status))])
        table.add(["Up", .init(DurationArgument.shown(seconds: status["uptimeSeconds"]?.integer ?? 0))])
        table.add(["Tour", .init(tour(status))])
        if status["archived"]?.flag == true { table.add(["Archive", .init(Self.archiveWords, .yellow)]) }
        addNetwork(status, to: &table)
        table.add(["Waiting to go out", .init(status.shown("unsent"))])
        addBehind(status, to: &table)
        addMailbox(status, to: &table)
        addFiles(status, to: &table)
        if let log = status["ownLog"]?.text, log != "ready" {
            table.add(["Your messages", .init("\(log): tour-chat doctor says more", .yellow)])
        }
        if let used = status["shareUsed"]?.integer, used >= Self.shareShown {
            table.add(["Your share", .init("\(used) % used: tour-chat doctor says more", .yellow)])
        }
        for words in status["voided"]?.list?.compactMap(\.text) ?? [] { table.add(["Void", .init(words, .yellow)]) }
        table.add(["Refused input", .init(rejected(status))])
        table.add(["Data", .init("\(status.shown("dataDirectory")) (key in a \(key(status)))")])
        try output.table(table)
    }

    static let archiveWords = "a server reads what is said (tour-chat archive remove ends it)"

    /// Of a hundred: below, nobody needs to know.
    private static let shareShown = 90

    private func addNetwork(_ status: JSON, to table: inout Table) {
        guard isRunning(status) else {
            for row in ["In reach", "Links", "mDNS", "Multicast"] { table.add([.init(row), "no node running"]) }
            return
        }
        table.add(["In reach", .init("\(status.shown("membersReachable")) of \(status.shown("members")) members")])
        table.add(["Links", .init(status.shown("links"))])
        for segment in status["segments"]?.list ?? [] {
            let addresses = segment["addresses"]?.list?.compactMap(\.text) ?? []
            table.add([.init("Network \(segment.shown("interface"))"), .init(addresses.joined(separator: ", "))])
        }
        let discovery = status["discovery"]
        let state = discovery?.shown("state") ?? ""
        let reason = discovery?.shown("reason") ?? ""
        let shown = reason.isEmpty ? state : "\(state): \(reason)"
        table.add(["mDNS", .init(shown, state == "unavailable" ? .yellow : .plain)])
        table.add(["Multicast", .init(multicast(status), status.shown("multicast") == "blocked" ? .yellow : .plain)])
    }

    /// Somebody may keep back what others wrote: then it shows here that there is more.
    private func addBehind(_ status: JSON, to table: inout Table) {
        guard let behind = status["behind"], let count = behind["messages"]?.integer, count > 0 else { return }
        let since = behind["since"]?.text ?? ""
        let members = behind["members"]?.integer == 1 ? "1 member" : "\(behind.shown("members")) members"
        let words = "\(count) of \(members), since \(Timestamp(since)?.dateAndTime ?? since)"
        table.add(["Known of, not here", .init(words, .yellow)])
    }

    private func addMailbox(_ status: JSON, to table: inout Table) {
        guard let mailbox = status["mailbox"], case .object = mailbox else {
            if isRunning(status) { table.add(["Server", "not set up"]) }
            return
        }
        let account = mailbox["account"]?.text.map { ", logged in as \($0)" } ?? ""
        table.add(["Server", .init(mailbox.shown("server") + account)])
        let problem = mailbox["problem"]?["message"]?.text
        table.add(["Sync", .init(problem ?? sync(mailbox), problem == nil ? .plain : .yellow)])
        if problem != nil { table.add(["", "-> tour-chat doctor says what to do"]) }
        table.add(["Server reached", .init(reached(mailbox))])
        table.add(["Not on the server", .init(status.shown("unsynced"))])
        addNotebook(status, to: &table)
        if case .object(let refused)? = mailbox["refused"], !refused.isEmpty {
            let words = refused.map { "\($0.name) \(mailbox["refused"]?.shown($0.name) ?? "")" }
            table.add(["Refused by the server", .init(words.joined(separator: ", "), .yellow)])
        }
        if let lead = mailbox["clockLead"]?.integer, abs(lead) > 60 {
            let way = lead > 0 ? "behind" : "ahead of"
            let words = "\(DurationArgument.shown(seconds: abs(lead))) \(way) the server's"
            table.add(["Clock", .init(words, .yellow)])
        }
    }

    private func addNotebook(_ status: JSON, to table: inout Table) {
        let problem = status["notebookProblem"]?["message"]?.text
        guard let count = status["notebookPending"]?.integer, count > 0 || problem != nil else { return }
        table.add(["Notebook", .init("\(count) not on the server", count == 0 ? .plain : .yellow)])
        if let problem { table.add(["", .init(problem, .yellow)]) }
    }

    private func addFiles(_ status: JSON, to table: inout Table) {
        guard let files = status["files"], let count = files["count"]?.integer, count > 0 else { return }
        let coming = files["fetching"]?.integer ?? 0
        let rate = UInt64(clamping: files["bytesPerSecond"]?.integer ?? 0)
        let parts = [
            "\(files.shown("complete")) of \(count) here",
            ByteCount.shown(UInt64(clamping: files["bytes"]?.integer ?? 0)),
            coming > 0 ? "\(coming) on the way" + (rate > 0 ? " at \(ByteCount.shown(rate))/s" : "") : "",
            FilePolicy(rawValue: files.shown("policy"))?.words ?? "",
        ]
        table.add(["Files", .init(parts.filter { !$0.isEmpty }.joined(separator: ", "))])
    }

    private func sync(_ mailbox: JSON) -> String {
        switch mailbox.shown("state") {
        case "syncing": "under way, \(mailbox.shown("percent")) %"
        case "waiting": "about to begin"
        default: "done"
        }
    }

    private func reached(_ mailbox: JSON) -> String {
        guard let ago = mailbox["answeredAgo"]?.integer else { return "not since the node started" }
        let last = mailbox["lastSync"]?.text
        let time = last.map { ", at \(Timestamp($0)?.dateAndTime ?? $0)" } ?? ""
        return "\(DurationArgument.shown(seconds: ago)) ago\(time)"
    }

    private func multicast(_ status: JSON) -> String {
        switch status.shown("multicast") {
        case "working":
            let reach = (status["segments"]?.list ?? []).map { $0["heardBy"]?.integer ?? 0 }.reduce(0, +)
            return "works: one datagram reaches \(reach)"
        case "blocked":
            return "held back by the network; \(PathWords.oneByOne(status["paths"])) (tour-chat doctor says more)"
        case "unknown": return "nobody to test it with yet"
        default: return "off; \(PathWords.oneByOne(status["paths"]))"
        }
    }

    private func listening(_ status: JSON) -> String {
        isRunning(status) ? "port \(status.shown("port"))" : "nothing: no node is running"
    }

    /// Whether a node answered, and not this command itself.
    private func isRunning(_ status: JSON) -> Bool { (status["port"]?.integer ?? 0) != 0 }

    private func tour(_ status: JSON) -> String {
        guard let id = status["tourID"]?.text else { return "none yet" }
        let name = "\(status.shown("tourName")) (\(id.prefix(8)))"
        let state = status["state"]?.text ?? TourStanding.active
        return state == TourStanding.active ? name : "\(name): \(TourStanding.sentence(state))"
    }

    private func rejected(_ status: JSON) -> String {
        guard case .object(let counters)? = status["rejected"], !counters.isEmpty else { return "none" }
        return counters.map { "\($0.name) \(status["rejected"]?.shown($0.name) ?? "")" }.joined(separator: ", ")
    }

    private func key(_ status: JSON) -> String {
        switch status.shown("storageKey") {
        case "passphrase": "file sealed by a passphrase"
        case "keyring": "keyring"
        default: "plain file"
        }
    }
}

extension FilePolicy {
    /// Nothing of the one that most have.
    fileprivate var words: String {
        switch self {
        case .always: ""
        case .ask: "fetched when asked for"
        case .wifiOnly: "not fetched over Bluetooth"
        }
    }
}
