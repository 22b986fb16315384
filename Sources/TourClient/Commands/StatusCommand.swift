import ArgumentParser
import TourAPI
import TourModel
import TourWords

/// `status`
struct StatusCommand: TaskCommand, ChoosesTour {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: Phrase("How this node is doing."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat status
              tour-chat status --json
            """))

    @OptionGroup var choice: TourChoice

    var task: any NodeTask { StatusTask(chosenTour: choice.tour) }
}

/// Shows how the node is doing.
struct StatusTask: NodeTask {
    let chosenTour: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, LocalPath.make(["status"], query: [("tour", chosenTour)]))
        guard let status: Status = try output.forPeople(answer) else { return }
        var table = Table()
        let version = status.version + (status.commit.map { " (\($0))" } ?? "")
        table.add([.init(Phrase("Name")), .init(status.name, .bold)])
        table.add([.init(Phrase("Node")), .init(Phrase("\(status.nodeID.prefix(8)), version \(version)"))])
        table.add([.init(Phrase("Listening on")), .init(listening(status))])
        let uptime = DurationArgument.shown(seconds: status.uptimeSeconds)
        table.add([.init(Phrase("Up")), .init(uptime)])
        table.add([.init(Phrase("Tour")), .init(tour(status))])
        for lost in status.lost {
            let name = TerminalText.safe(lost.name)
            let shown = GuestWords.named(name, lost.by)
            let words =
                lost.unanswered ? Phrase("\(shown): answer with 'tour-chat alarms \(name) --coming'") : shown
            table.add([.init(Phrase("Lost")), .init(words, .red)])
        }
        if status.archived {
            table.add([.init(Phrase("Archive")), .init(Self.archiveWords, .yellow)])
        }
        addNetwork(status, to: &table)
        table.add([.init(Phrase("Waiting to go out")), .init(String(status.unsent))])
        addBehind(status, to: &table)
        addMailbox(status, to: &table)
        addFiles(status, to: &table)
        if let log = status.ownLog, log != "ready" {
            let (heard, needed) = StatusWords.witnesses(status)
            let words =
                log == "recovering"
                ? Phrase("recovering, \(heard) of \(needed) members have answered: tour-chat doctor says more")
                : Phrase("\(StatusWords.ownLog(log)): tour-chat doctor says more")
            table.add([.init(Phrase("Your messages")), .init(words, .yellow)])
        }
        if let used = status.shareUsed, used >= Self.shareShown {
            let words = Phrase("\(used) % used: tour-chat doctor says more")
            table.add([.init(Phrase("Your share")), .init(words, .yellow)])
        }
        for words in status.voided {
            table.add([.init(Phrase("Void")), .init(words, .yellow)])
        }
        table.add([.init(Phrase("Rejected")), .init(rejected(status))])
        table.add([.init(Phrase("Data")), .init(data(status))])
        try output.table(table)
    }

    static var archiveWords: Phrase { Phrase("a server reads what is said (tour-chat archive remove ends it)") }

    /// In percent: below, the share is not shown.
    private static let shareShown = 90

    private func addNetwork(_ status: Status, to table: inout Table) {
        guard isRunning(status) else {
            for row in [Phrase("In reach"), Phrase("Links"), Phrase("mDNS"), Phrase("Multicast")] {
                table.add([.init(row), .init(Phrase("no node running"))])
            }
            return
        }
        if status.tourID != nil { table.add([.init(Phrase("In reach")), .init(inReach(status))]) }
        table.add([.init(Phrase("Links")), .init(String(status.links))])
        for segment in status.segments {
            table.add([.init(Phrase("Network \(segment.interface)")), .init(Phrase(list: segment.addresses))])
        }
        let word = StatusWords.discovery(status.discovery.state)
        let shown = status.discovery.reason.map { Phrase("\(word): \($0)") } ?? word
        table.add([.init(Phrase("mDNS")), .init(shown, status.discovery.state == "unavailable" ? .yellow : .plain)])
        let isBlocked = status.multicast == .blocked
        table.add([.init(Phrase("Multicast")), .init(multicast(status), isBlocked ? .yellow : .plain)])
    }

    private func inReach(_ status: Status) -> Phrase {
        status.people?.whole ?? status.state.map { TourStanding.sentence($0) } ?? .empty
    }

    /// Somebody may hold back events of others: this shows that there are more.
    private func addBehind(_ status: Status, to table: inout Table) {
        guard let behind = status.behind else { return }
        let (count, members) = (behind.messages, behind.members)
        let time = Timestamp(behind.since)?.dateAndTime ?? behind.since
        let words = Phrase(
            members, one: "\(count) of \(members) member, since \(time)",
            other: "\(count) of \(members) members, since \(time)")
        table.add([.init(Phrase("Known of, not here")), .init(words, .yellow)])
    }

    private func addMailbox(_ status: Status, to table: inout Table) {
        guard let mailbox = status.mailbox else {
            if isRunning(status) { table.add([.init(Phrase("Server")), .init(Phrase("not set up"))]) }
            return
        }
        let server = mailbox.server
        let login = mailbox.account.map { Phrase("\(server), logged in as \($0)") } ?? Phrase(verbatim: server)
        table.add([.init(Phrase("Server")), .init(login)])
        if let problem = mailbox.problem?.message {
            table.add([.init(Phrase("Sync")), .init(problem, .yellow)])
            table.add(["", .init(Phrase("-> tour-chat doctor says what to do"))])
        } else {
            table.add([.init(Phrase("Sync")), .init(sync(mailbox))])
        }
        table.add([.init(Phrase("Server reached")), .init(reached(mailbox))])
        table.add([.init(Phrase("Not on the server")), .init(String(status.unsynced))])
        addNotebook(status, to: &table)
        if !mailbox.refused.isEmpty {
            let words = mailbox.refused.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            table.add([.init(Phrase("Refused by the server")), .init(Phrase(list: words), .yellow)])
        }
        if let lead = mailbox.clockLead.map({ Int($0) }), abs(lead) > 60 {
            let time = DurationArgument.shown(seconds: abs(lead))
            let words = lead > 0 ? Phrase("\(time) behind the server's") : Phrase("\(time) ahead of the server's")
            table.add([.init(Phrase("Clock")), .init(words, .yellow)])
        }
    }

    private func addNotebook(_ status: Status, to table: inout Table) {
        let (count, problem) = (status.notebookPending, status.notebookProblem?.message)
        guard count > 0 || problem != nil else { return }
        table.add([
            .init(Phrase("Notebook")), .init(Phrase("\(count) not on the server"), count == 0 ? .plain : .yellow),
        ])
        if let problem { table.add(["", .init(problem, .yellow)]) }
    }

    private func addFiles(_ status: Status, to table: inout Table) {
        guard let files = status.files, files.count > 0 else { return }
        let (coming, rate) = (files.fetching, files.bytesPerSecond)
        let onTheWay =
            rate > 0
            ? Phrase("\(coming) on the way at \(ByteCount.shown(aSecond: rate))") : Phrase("\(coming) on the way")
        let parts = [
            Phrase("\(String(files.complete)) of \(files.count) here"),
            ByteCount.shown(files.bytes),
            coming > 0 ? onTheWay : nil,
            FilePolicy(rawValue: files.policy)?.words,
        ]
        table.add([.init(Phrase("Files")), .init(Phrase(list: parts.compactMap(\.self)))])
    }

    private func sync(_ mailbox: Status.Mailbox) -> Phrase {
        switch mailbox.state {
        case "syncing": Phrase("under way, \(String(mailbox.percent)) %")
        case "waiting": Phrase("about to begin")
        default: Phrase("done")
        }
    }

    private func reached(_ mailbox: Status.Mailbox) -> Phrase {
        guard let seconds = mailbox.answeredAgo else { return Phrase("not since the node started") }
        let ago = DurationArgument.shown(seconds: seconds)
        guard let last = mailbox.lastSync else { return Phrase("\(ago) ago") }
        return Phrase("\(ago) ago, at \(Timestamp(last)?.dateAndTime ?? last)")
    }

    private func multicast(_ status: Status) -> Phrase {
        switch status.multicast {
        case .working:
            let reach = status.segments.map(\.heardBy).reduce(0, +)
            return Phrase("works: one packet reaches \(reach)")
        case .blocked:
            let instead = PathWords.oneByOne(status.paths)
            return Phrase("held back by the network; \(instead) (tour-chat doctor says more)")
        case .unknown: return Phrase("nobody to test it with yet")
        case .off: return Phrase("off; \(PathWords.oneByOne(status.paths))")
        }
    }

    private func listening(_ status: Status) -> Phrase {
        isRunning(status) ? Phrase("port \(String(status.port))") : Phrase("nothing: no node is running")
    }

    /// Whether a running node answered, not this command's own.
    private func isRunning(_ status: Status) -> Bool { status.port != 0 }

    private func tour(_ status: Status) -> Phrase {
        guard let id = status.tourID else { return Phrase("none yet") }
        let name = "\(status.tourName ?? "") (\(id.prefix(8)))"
        guard let state = status.state, state != .active else { return Phrase(verbatim: name) }
        return Phrase("\(name): \(TourStanding.sentence(state))")
    }

    private func rejected(_ status: Status) -> Phrase {
        guard !status.rejected.isEmpty else { return Phrase("none") }
        let words = status.rejected.sorted { $0.key < $1.key }.map { name, count in
            name == "stranger"
                ? Phrase(
                    count, one: "\(count) connection attempt by a stranger",
                    other: "\(count) connection attempts by strangers")
                : Phrase(verbatim: "\(count) × \(TerminalText.safe(name))")
        }
        return Phrase(list: words)
    }

    private func data(_ status: Status) -> Phrase {
        let directory = status.dataDirectory
        return switch status.storageKey {
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
        case .small: nil
        case .always: Phrase("fetched at any size")
        case .ask: Phrase("fetched when asked for")
        case .wifiOnly: Phrase("not fetched over Bluetooth")
        }
    }
}
