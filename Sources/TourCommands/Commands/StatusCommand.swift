import ArgumentParser
import TourJSON
import TourModel
import TourNode
import TourWeb
import TourWords

/// `status`
struct StatusCommand: TaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: Phrase("How this node is doing.").text,
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat status
              tour-chat status --json
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice

    var task: any NodeTask { StatusTask(chosenTour: choice.tour) }
}

/// Shows how the node is doing.
struct StatusTask: NodeTask {
    let chosenTour: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let status = try await client.call(.GET, LocalPath.make(["status"], query: [("tour", chosenTour)]))
        if output.json { return try output.object(status) }
        var table = Table()
        let (node, commit) = (status.shown("nodeID").prefix(8), status["commit"]?.text.map { " (\($0))" } ?? "")
        let version = status.shown("version") + commit
        table.add([.init(Phrase("Name")), .init(status.shown("name"), .bold)])
        table.add([.init(Phrase("Node")), .init(Phrase("\(node), version \(version)"))])
        table.add([.init(Phrase("Listening on")), .init(listening(status))])
        let uptime = DurationArgument.shown(seconds: status["uptimeSeconds"]?.integer ?? 0)
        table.add([.init(Phrase("Up")), .init(uptime)])
        table.add([.init(Phrase("Tour")), .init(tour(status))])
        for lost in status["lost"]?.list ?? [] {
            let name = TerminalText.safe(lost.shown("name"))
            let words =
                lost["unanswered"]?.flag == true
                ? Phrase("\(lost.named(name)): answer with 'tour-chat alarms \(name) --coming'") : lost.named(name)
            table.add([.init(Phrase("Lost")), .init(words, .red)])
        }
        if status["archived"]?.flag == true {
            table.add([.init(Phrase("Archive")), .init(Self.archiveWords, .yellow)])
        }
        addNetwork(status, to: &table)
        table.add([.init(Phrase("Waiting to go out")), .init(status.shown("unsent"))])
        addBehind(status, to: &table)
        addMailbox(status, to: &table)
        addFiles(status, to: &table)
        if let log = status["ownLog"]?.text, log != "ready" {
            let (heard, needed) = StatusWords.witnesses(status)
            let words =
                log == "recovering"
                ? Phrase("recovering, \(heard) of \(needed) members have answered: tour-chat doctor says more")
                : Phrase("\(StatusWords.ownLog(log)): tour-chat doctor says more")
            table.add([.init(Phrase("Your messages")), .init(words, .yellow)])
        }
        if let used = status["shareUsed"]?.integer, used >= Self.shareShown {
            let words = Phrase("\(used) % used: tour-chat doctor says more")
            table.add([.init(Phrase("Your share")), .init(words, .yellow)])
        }
        for words in status["voided"]?.list?.compactMap(\.text) ?? [] {
            table.add([.init(Phrase("Void")), .init(words, .yellow)])
        }
        table.add([.init(Phrase("Rejected")), .init(rejected(status))])
        table.add([.init(Phrase("Data")), .init(data(status))])
        try output.table(table)
    }

    static var archiveWords: Phrase { Phrase("a server reads what is said (tour-chat archive remove ends it)") }

    /// In percent: below, the share is not shown.
    private static let shareShown = 90

    private func addNetwork(_ status: JSON, to table: inout Table) {
        guard isRunning(status) else {
            for row in [Phrase("In reach"), Phrase("Links"), Phrase("mDNS"), Phrase("Multicast")] {
                table.add([.init(row), .init(Phrase("no node running"))])
            }
            return
        }
        if status["tourID"]?.text != nil { table.add([.init(Phrase("In reach")), .init(inReach(status))]) }
        table.add([.init(Phrase("Links")), .init(status.shown("links"))])
        for segment in status["segments"]?.list ?? [] {
            let addresses = segment["addresses"]?.list?.compactMap(\.text) ?? []
            let name = Phrase("Network \(segment.shown("interface"))")
            table.add([.init(name), .init(Phrase(list: addresses))])
        }
        let discovery = status["discovery"]
        let state = discovery?.shown("state") ?? ""
        let reason = discovery?.shown("reason") ?? ""
        let word = StatusWords.discovery(state)
        let shown = reason.isEmpty ? word : Phrase("\(word): \(reason)")
        table.add([.init(Phrase("mDNS")), .init(shown, state == "unavailable" ? .yellow : .plain)])
        let isBlocked = status.shown("multicast") == "blocked"
        table.add([.init(Phrase("Multicast")), .init(multicast(status), isBlocked ? .yellow : .plain)])
    }

    private func inReach(_ status: JSON) -> Phrase {
        guard let people = PeopleWords(status["people"]) else { return TourStanding.sentence(status.shown("state")) }
        return people.whole
    }

    /// Somebody may hold back events of others: this shows that there are more.
    private func addBehind(_ status: JSON, to table: inout Table) {
        guard let behind = status["behind"], let count = behind["messages"]?.integer, count > 0 else { return }
        let since = behind["since"]?.text ?? ""
        let time = Timestamp(since)?.dateAndTime ?? since
        let members = behind["members"]?.integer ?? 0
        let words = Phrase(
            members, one: "\(count) of \(members) member, since \(time)",
            other: "\(count) of \(members) members, since \(time)")
        table.add([.init(Phrase("Known of, not here")), .init(words, .yellow)])
    }

    private func addMailbox(_ status: JSON, to table: inout Table) {
        guard let mailbox = status["mailbox"], case .object = mailbox else {
            if isRunning(status) { table.add([.init(Phrase("Server")), .init(Phrase("not set up"))]) }
            return
        }
        let server = mailbox.shown("server")
        let account = mailbox["account"]?.text
        let login = account.map { Phrase("\(server), logged in as \($0)") } ?? Phrase(verbatim: server)
        table.add([.init(Phrase("Server")), .init(login)])
        if let problem = mailbox["problem"]?["message"]?.text {
            table.add([.init(Phrase("Sync")), .init(problem, .yellow)])
            table.add(["", .init(Phrase("-> tour-chat doctor says what to do"))])
        } else {
            table.add([.init(Phrase("Sync")), .init(sync(mailbox))])
        }
        table.add([.init(Phrase("Server reached")), .init(reached(mailbox))])
        table.add([.init(Phrase("Not on the server")), .init(status.shown("unsynced"))])
        addNotebook(status, to: &table)
        if case .object(let refused)? = mailbox["refused"], !refused.isEmpty {
            let words = refused.map { "\($0.name) \(mailbox["refused"]?.shown($0.name) ?? "")" }
            table.add([.init(Phrase("Refused by the server")), .init(Phrase(list: words), .yellow)])
        }
        if let lead = mailbox["clockLead"]?.integer, abs(lead) > 60 {
            let time = DurationArgument.shown(seconds: abs(lead))
            let words = lead > 0 ? Phrase("\(time) behind the server's") : Phrase("\(time) ahead of the server's")
            table.add([.init(Phrase("Clock")), .init(words, .yellow)])
        }
    }

    private func addNotebook(_ status: JSON, to table: inout Table) {
        let problem = status["notebookProblem"]?["message"]?.text
        guard let count = status["notebookPending"]?.integer, count > 0 || problem != nil else { return }
        table.add([
            .init(Phrase("Notebook")), .init(Phrase("\(count) not on the server"), count == 0 ? .plain : .yellow),
        ])
        if let problem { table.add(["", .init(problem, .yellow)]) }
    }

    private func addFiles(_ status: JSON, to table: inout Table) {
        guard let files = status["files"], let count = files["count"]?.integer, count > 0 else { return }
        let coming = files["fetching"]?.integer ?? 0
        let rate = UInt64(clamping: files["bytesPerSecond"]?.integer ?? 0)
        let onTheWay =
            rate > 0
            ? Phrase("\(coming) on the way at \(ByteCount.shown(aSecond: rate))") : Phrase("\(coming) on the way")
        let parts = [
            Phrase("\(files.shown("complete")) of \(count) here"),
            ByteCount.shown(UInt64(clamping: files["bytes"]?.integer ?? 0)),
            coming > 0 ? onTheWay : nil,
            FilePolicy(rawValue: files.shown("policy"))?.words,
        ]
        table.add([.init(Phrase("Files")), .init(Phrase(list: parts.compactMap(\.self)))])
    }

    private func sync(_ mailbox: JSON) -> Phrase {
        switch mailbox.shown("state") {
        case "syncing": Phrase("under way, \(mailbox.shown("percent")) %")
        case "waiting": Phrase("about to begin")
        default: Phrase("done")
        }
    }

    private func reached(_ mailbox: JSON) -> Phrase {
        guard let seconds = mailbox["answeredAgo"]?.integer else { return Phrase("not since the node started") }
        let ago = DurationArgument.shown(seconds: seconds)
        guard let last = mailbox["lastSync"]?.text else { return Phrase("\(ago) ago") }
        return Phrase("\(ago) ago, at \(Timestamp(last)?.dateAndTime ?? last)")
    }

    private func multicast(_ status: JSON) -> Phrase {
        switch status.shown("multicast") {
        case "working":
            let reach = (status["segments"]?.list ?? []).map { $0["heardBy"]?.integer ?? 0 }.reduce(0, +)
            return Phrase("works: one packet reaches \(reach)")
        case "blocked":
            let instead = PathWords.oneByOne(status["paths"])
            return Phrase("held back by the network; \(instead) (tour-chat doctor says more)")
        case "unknown": return Phrase("nobody to test it with yet")
        default: return Phrase("off; \(PathWords.oneByOne(status["paths"]))")
        }
    }

    private func listening(_ status: JSON) -> Phrase {
        isRunning(status) ? Phrase("port \(status.shown("port"))") : Phrase("nothing: no node is running")
    }

    /// Whether a running node answered, not this command's own.
    private func isRunning(_ status: JSON) -> Bool { (status["port"]?.integer ?? 0) != 0 }

    private func tour(_ status: JSON) -> Phrase {
        guard let id = status["tourID"]?.text else { return Phrase("none yet") }
        let name = "\(status.shown("tourName")) (\(id.prefix(8)))"
        let state = status["state"]?.text ?? TourStanding.active
        guard state != TourStanding.active else { return Phrase(verbatim: name) }
        return Phrase("\(name): \(TourStanding.sentence(state))")
    }

    private func rejected(_ status: JSON) -> Phrase {
        guard case .object(let counters)? = status["rejected"], !counters.isEmpty else { return Phrase("none") }
        let words = counters.map { counter in
            let count = counter.value.integer ?? 0
            return counter.name == "stranger"
                ? Phrase(
                    count, one: "\(count) connection attempt by a stranger",
                    other: "\(count) connection attempts by strangers")
                : Phrase(verbatim: "\(count) × \(TerminalText.safe(counter.name))")
        }
        return Phrase(list: words)
    }

    private func data(_ status: JSON) -> Phrase {
        let directory = status.shown("dataDirectory")
        return switch status.shown("storageKey") {
        case "passphrase": Phrase("\(directory) (key in a file sealed by a passphrase)")
        case "keyring": Phrase("\(directory) (key in a keyring)")
        default: Phrase("\(directory) (key in a plain file)")
        }
    }
}

extension FilePolicy {
    /// Nothing for the policy that most nodes have.
    fileprivate var words: Phrase? {
        switch self {
        case .always: nil
        case .ask: Phrase("fetched when asked for")
        case .wifiOnly: Phrase("not fetched over Bluetooth")
        }
    }
}
