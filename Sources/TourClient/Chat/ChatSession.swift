import TourAPI
import TourJSON
import TourWords
import UnixSignals

/// The running chat: keys, signals and the node's messages arrive as events, one after the other; the screen follows.
struct ChatSession: Sendable {
    enum Event: Sendable {
        case keys([UInt8])
        case inputEnded
        case messages([Message])
        case connection(ChatState.Connection)
        case members([ChatMember], PeopleCount?)
        case asked(AskedOfReader)
        case tour(name: String, state: TourState)
        case note(WordedNote)
        case refused(line: String, CommandFailure)
        case notice(Phrase)
        case resized
        /// A moment has passed since the screen was drawn.
        case looked
        case ended
    }

    /// Messages shown at the start.
    static let openingCount = 500

    let client: LocalClient
    let tourID: String
    let tourName: String
    let isColored: Bool

    /// Returns when the user leaves, or a signal ends the chat; the terminal is then as before.
    func run() async throws {
        let (events, source) = AsyncStream.makeStream(of: Event.self)
        let (outgoing, outbox) = AsyncStream.makeStream(of: TypedDraft.self)
        let (asked, questions) = AsyncStream.makeStream(of: Message.self)
        let (files, fileOutbox) = AsyncStream.makeStream(of: ChatLoop.FileOrder.self)
        let (calls, callOutbox) = AsyncStream.makeStream(of: ChatLoop.AlarmCall.self)
        let (ordered, orders) = AsyncStream.makeStream(of: ChatOrder.self)
        let (wanted, saves) = AsyncStream.makeStream(of: ChatLoop.SaveOrder.self)
        let (due, looks) = AsyncStream.makeStream(of: Void.self)
        let (shown, readMarks) = AsyncStream.makeStream(of: [String].self)
        let terminal = try RawTerminal()
        defer {
            // The terminal may have gone away itself.
            try? StandardStream.output.write(ScreenPainter.leave.utf8)
            terminal.restore()
        }
        try StandardStream.output.write(ScreenPainter.enter.utf8)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await watchSignals(into: source) }
            tasks.addTask { await readKeys(into: source) }
            tasks.addTask { await follow(into: source) }
            tasks.addTask { await watchMembers(into: source) }
            tasks.addTask { await send(outgoing, into: source) }
            tasks.addTask { await answer(asked, into: source) }
            tasks.addTask { await send(files, into: source) }
            tasks.addTask { await save(wanted, into: source) }
            tasks.addTask { await call(calls, into: source) }
            tasks.addTask { await perform(ordered, into: source) }
            tasks.addTask { await mark(shown) }
            tasks.addTask {
                for await _ in due {
                    try? await Task.sleep(for: DisplayWatch.moment)
                    source.yield(.looked)
                }
            }
            defer { tasks.cancelAll() }
            var loop = ChatLoop(state: ChatState(tourName: tourName, openedAt: .now), isColored: isColored)
            try loop.draw()
            for await event in events {
                let work = loop.handle(event)
                for draft in work.drafts { outbox.yield(draft) }
                for message in work.questions { questions.yield(message) }
                for file in work.files { fileOutbox.yield(file) }
                for file in work.saves { saves.yield(file) }
                for order in work.orders { orders.yield(order) }
                for call in work.calls { callOutbox.yield(call) }
                if work.isEnd { break }
                try loop.draw()
                if !work.displayed.isEmpty { readMarks.yield(work.displayed) }
                if loop.wantsLook() { looks.yield() }
            }
        }
    }

    func path(_ segments: String..., query: [(String, String?)] = []) -> String {
        LocalPath.make(["tours", tourID] + segments, query: query)
    }

    /// Reports the terminal's new size, and signals that end the chat.
    private func watchSignals(into source: AsyncStream<Event>.Continuation) async {
        for await signal in await UnixSignalsSequence(trapping: .sigwinch, .sigterm, .sigint, .sighup) {
            source.yield(signal == .sigwinch ? .resized : .ended)
        }
    }

    private func readKeys(into source: AsyncStream<Event>.Continuation) async {
        let input = InputReader()
        while let bytes = try? await input.read(), !bytes.isEmpty { source.yield(.keys(bytes)) }
        source.yield(.inputEnded)
    }

    /// Follows the tour; when the node goes away, tries again each second and reads everything anew.
    private func follow(into source: AsyncStream<Event>.Continuation) async {
        let path = path(
            "messages", query: [("limit", String(Self.openingCount)), ("follow", "true"), ("notes", "true")])
        while !Task.isCancelled {
            var lines = WholeLines()
            var isOpen = false
            let failure = await refusal {
                try await client.stream(path) { chunk in
                    if !isOpen { source.yield(.connection(.open)) }
                    isOpen = true
                    var messages: [Message] = []
                    for line in lines.add(chunk).split(separator: 0x0A) {
                        switch try? StreamLine(line) {
                        case .message(let message): messages.append(message)
                        case .note(let note): source.yield(.note(note))
                        case nil: break
                        }
                    }
                    if !messages.isEmpty { source.yield(.messages(messages)) }
                    if messages.contains(where: { $0.isUrgent || ["alarm", "roll-call"].contains($0.type) }) {
                        await lookForAsked(into: source)
                    }
                }
                // While a node is being locked its stream ends without an error: a call shows whether it is.
                _ = try await client.call(.GET, self.path())
            }
            source.yield(.connection(failure.map { connection(after: $0) } ?? .away))
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// - Returns: why the node refused; nil when it did not, or when something else went wrong.
    private func refusal(_ work: () async throws -> Void) async -> CommandFailure? {
        do {
            try await work()
            return nil
        } catch {
            return error as? CommandFailure
        }
    }

    private func connection(after failure: CommandFailure) -> ChatState.Connection {
        ChatState.Connection(failure, holdsNode: NodeAccess.homes.init(dataDirectory: client.dataDirectory).holdsNode)
    }

    private func watchMembers(into source: AsyncStream<Event>.Continuation) async {
        while !Task.isCancelled {
            do {
                let list: MemberList = try await client.ask(.GET, path("members"))
                source.yield(.connection(.open))
                source.yield(.members(list.members.map { ChatMember($0) }, list.people))
            } catch let failure as CommandFailure where connection(after: failure).isShut {
                source.yield(.connection(connection(after: failure)))
            } catch {
                // The stream of messages shows whether the node is away.
            }
            await lookForAsked(into: source)
            if let tour: TourDetails = try? await client.ask(.GET, path()) {
                source.yield(.tour(name: tour.name, state: tour.state))
            }
            try? await Task.sleep(for: .seconds(3))
        }
    }

    private func lookForAsked(into source: AsyncStream<Event>.Continuation) async {
        guard let alarms: AlarmList = try? await client.ask(.GET, path("alarms")),
            let roll: RollBody = try? await client.ask(.GET, path("roll")),
            let urgent: UrgentList = try? await client.ask(.GET, path("urgent"))
        else { return }
        let asking: AskingView? = try? await client.ask(.GET, path("asking"))
        source.yield(
            .asked(
                AskedOfReader(
                    alarms: alarms.alarms, roll: roll.roll, urgent: urgent.urgent,
                    askers: asking?.askers ?? [])))
    }

    private func call(_ calls: AsyncStream<ChatLoop.AlarmCall>, into source: AsyncStream<Event>.Continuation) async {
        for await call in calls {
            let line =
                switch call {
                case .lost(_, let line), .answer(_, _, let line): line
                }
            let failure = await refusal {
                switch call {
                case .lost(let words, _):
                    _ = try await client.call(.POST, path("alarms"), ["text": .text(words)])
                case .answer(let alarm, let word, _):
                    _ = try await client.call(.POST, path("alarms", alarm, "answer"), ["answer": .text(word)])
                }
            }
            if let failure { source.yield(.refused(line: line, failure)) }
            await lookForAsked(into: source)
        }
    }

    /// Sends drafts one after the other, so that they are stored in the order they were written.
    private func send(_ drafts: AsyncStream<TypedDraft>, into source: AsyncStream<Event>.Continuation) async {
        for await draft in drafts {
            do {
                _ = try await client.send(draft.draft, path("messages"))
            } catch let failure as CommandFailure {
                source.yield(.refused(line: draft.line, failure))
            } catch {
                return
            }
        }
    }

    /// Shows which members have a message, and which do not.
    private func answer(_ asked: AsyncStream<Message>, into source: AsyncStream<Event>.Continuation) async {
        for await message in asked {
            do {
                let receipts: Receipts = try await client.ask(.GET, path("messages", message.id, "receipts"))
                source.yield(.notice(Phrase("\(message.body): \(receipts.words)")))
            } catch let failure as CommandFailure {
                source.yield(.notice(Phrase(verbatim: TerminalText.safe(failure.message.text))))
            } catch {
                return
            }
        }
    }

    /// Reports the displayed messages to the node, until it has accepted them.
    private func mark(_ shown: AsyncStream<[String]>) async {
        for await ids in shown {
            let list = JSON.list(ids.map { .text($0) })
            while !Task.isCancelled {
                let failure = await refusal { _ = try await client.call(.POST, path("read"), ["displayed": list]) }
                // A node that is away or locked may come back; any other refusal would be repeated.
                guard let failure, connection(after: failure) != .open, failure.code != "bad-request" else { break }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}
