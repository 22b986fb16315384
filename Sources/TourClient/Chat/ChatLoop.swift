import TourAPI
import TourModel
import TourWords

/// Turns the chat's events into state, and state into what the terminal shows.
struct ChatLoop {
    /// Work for the session that follows from an event.
    struct Work {
        var drafts: [TypedDraft] = []
        /// Messages whose receipts the user asked for.
        var questions: [Message] = []
        var files: [FileOrder] = []
        var saves: [SaveOrder] = []
        var calls: [AlarmCall] = []
        var orders: [ChatOrder] = []
        /// The ids of messages that were on the screen for a moment.
        var displayed: [String] = []
        var isEnd = false
    }

    /// A file to send.
    struct FileOrder: Sendable {
        var file: FileToSend
        /// As typed.
        var line: String
    }

    /// An answer to an alarm, or an alarm.
    enum AlarmCall: Sendable {
        case lost(String, line: String)
        /// By the alarm's id, or its author's name.
        case answer(String, word: String, line: String)
    }

    /// A file to save.
    struct SaveOrder: Sendable {
        var id: IDArgument
        /// As typed; nil: the user's downloads.
        var directory: String?
    }

    private var state: ChatState
    private var keys = KeyDecoder()
    private var painter = ScreenPainter()
    private var screen: ChatScreen?
    private var watch = DisplayWatch()
    private let isColored: Bool

    init(state: ChatState, isColored: Bool) {
        self.state = state
        self.isColored = isColored
    }

    mutating func draw() throws {
        let size = TerminalSize.current
        let next = ChatScreen(state, columns: size.columns, rows: size.rows, colored: isColored)
        state.scroll = min(state.scroll, next.scrollMax)
        screen = next
        try StandardStream.output.write(painter.paint(next).utf8)
    }

    /// The unread messages on the screen; none while nobody looks at the terminal, as far as the terminal reports
    /// that.
    private var unreadOnScreen: [String] {
        guard state.isLookedAt, let screen else { return [] }
        return state.transcript.unread(among: screen.messages)
    }

    /// Whether the session must send `.looked` after `DisplayWatch.moment`.
    mutating func wantsLook() -> Bool { watch.drawn(unreadOnScreen) }

    mutating func handle(_ event: ChatSession.Event) -> Work {
        switch event {
        case .keys(let bytes): return press(keys.add(bytes))
        case .inputEnded, .ended: return Work(isEnd: true)
        case .resized: painter.forget()
        case .messages(let messages): state.transcript.merge(messages)
        case .connection(let connection):
            // The painter must overwrite every row, also those that seem unchanged, so that nothing of the tour stays
            // on the terminal.
            if connection.isShut, !state.connection.isShut { painter.forget() }
            state.meet(connection)
        case .members(let members, let people): (state.members, state.people) = (members, people)
        case .asked(let asked): state.asked = asked
        case .tour(let name, let tourState):
            state.tourName = name
            state.tourState = tourState
        case .note(let note):
            state.tourState = note.state
            state.transcript.addNotice([note.shown])
        case .refused(let line, let failure): refuse(line, failure)
        case .notice(let words): state.transcript.addNotice([words.text])
        case .looked: return Work(displayed: watch.looked(unreadOnScreen))
        }
        return Work()
    }

    private mutating func refuse(_ line: String, _ failure: CommandFailure) {
        let isRestored = state.editor.restore(line)
        let words = RefusalNote.words(failure, isRestored: isRestored)
        state.transcript.addNotice([TerminalText.safe(words.text)])
    }

    private mutating func press(_ keys: [Key]) -> Work {
        var work = Work()
        for key in keys {
            if case .focus(let isLookedAt) = key {
                state.isLookedAt = isLookedAt
                continue
            }
            state.choices = []
            switch state.editor.handle(key) {
            case .edited: break
            case .completes: complete()
            case .redraw: painter.forget()
            case .scrolled(let pages):
                state.scroll = max(state.scroll + pages * max(TerminalSize.current.rows - 4, 1), 0)
            case .ended, .interrupted: work.isEnd = true
            case .pasteCut:
                state.transcript.addNotice([
                    Phrase("Of the paste only the first \(KeyDecoder.pasteBytesMax / 1024) KiB were taken.").text
                ])
            // Enter on an empty line answers the roll call, whose question is shown above it.
            case .confirmed: if state.isCalled { order(.present, typed: "", &work) }
            case .submitted(let line): obey(ChatInput(line), typed: line, &work)
            }
            if work.isEnd { break }
        }
        return work
    }

    private mutating func obey(_ input: ChatInput, typed line: String, _ work: inout Work) {
        state.scroll = 0
        switch input {
        case .reply(let words): reply(ReplyLine(words, in: state.transcript), typed: line, &work)
        case .search(let words): order(.search(words), typed: line, &work)
        case .here(let place): order(.here(place), typed: line, &work)
        case .present: order(state.isCalled ? .present : .here(.receiver), typed: line, &work)
        case .callRoll(let text): order(.callRoll(text), typed: line, &work)
        case .endRoll: order(.endRoll, typed: line, &work)
        case .understood: order(.understood, typed: line, &work)
        case .decide(let typed, let isAdmission):
            order(.decide(typed, isAdmission: isAdmission), typed: line, &work)
        case .meet(let words): order(.meet(words), typed: line, &work)
        case .members: order(.members, typed: line, &work)
        case .say(let text):
            state.transcript.clearUnreadMarker()
            send(Draft(text: text), typed: line, &work)
        case .announce(let text, let isUrgent):
            send(Draft(text: text, isAnnouncement: true, urgent: isUrgent), typed: line, &work)
        case .send(let file): work.files.append(FileOrder(file: file, line: line))
        case .save(let id, let directory):
            state.hasSaved = true
            work.saves.append(SaveOrder(id: id, directory: directory))
        case .lost(let words): work.calls.append(.lost(words, line: line))
        case .answerAlarm(let name, let word): answer(name, word, line, &work)
        case .missing:
            if let last = state.transcript.lastAnnouncement {
                work.questions.append(last)
            } else {
                state.transcript.addNotice([Phrase("You have announced nothing yet.").text])
            }
        case .quit: work.isEnd = true
        case .help: state.transcript.addNotice(ChatVerb.helpLines(columns: columns))
        case .unknown(let message): state.transcript.addNotice([TerminalText.safe(message.text)])
        }
    }

    private mutating func send(_ draft: Draft, typed line: String, _ work: inout Work) {
        guard draft.text.utf8.count <= Limits.textBytesMax else { return refuse(line, .textTooLong) }
        work.drafts.append(TypedDraft(draft: draft, line: line))
    }

    /// Without a name the answer is about oneself, where that is possible, else about the only lost member.
    private mutating func answer(_ name: String?, _ word: String, _ line: String, _ work: inout Work) {
        let open = state.asked.alarms.filter { AlarmWords($0).isOpen && (word == "found" || !AlarmWords($0).isMine) }
        let own = open.first { AlarmWords($0).isMine }
        if let about = name ?? (own ?? (open.count == 1 ? open[0] : nil))?.id {
            work.calls.append(.answer(about, word: word, line: line))
        } else {
            state.transcript.addNotice([
                (open.isEmpty ? Phrase("Nobody is lost.") : Phrase("Several are lost: say of whom, by name.")).text
            ])
        }
    }

    private mutating func reply(_ reply: ReplyLine, typed line: String, _ work: inout Work) {
        switch reply {
        case .answer(let id, let text):
            state.transcript.clearUnreadMarker()
            send(Draft(text: text, replyTo: id), typed: line, &work)
        case .unknown(let words):
            _ = state.editor.restore(line)
            state.transcript.addNotice([TerminalText.safe(words.text)])
        }
    }

    /// The width of the messages: tables among them are as wide.
    private var columns: Int { screen?.sideColumn ?? 80 }

    private func order(_ errand: ChatOrder.Errand, typed line: String, _ work: inout Work) {
        work.orders.append(ChatOrder(errand: errand, line: line, columns: columns))
    }

    private mutating func complete() {
        let completion = LineCompletion(state.editor.beforeCursor, names: state.names)
        state.editor.replaceBeforeCursor(with: completion.text)
        state.choices = completion.choices
    }
}
