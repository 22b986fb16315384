import TourAPI
import TourDesktop
import TourModel
import TourNode
import TourPresentation
import TourWords

/// Whether and how the desktop notifies the user of a node.
package struct NoticeSettings: Sendable {
    /// The messages to notify of.
    package var choice: NoticeChoice
    /// The language of notices.
    package var language: Language
    /// Rings for urgent messages, beside the desktop's notice; nil: there is no bell.
    package var ring: (@Sendable () -> Void)?

    package init(choice: NoticeChoice, language: Language, ring: (@Sendable () -> Void)? = nil) {
        self.choice = choice
        self.language = language
        self.ring = ring
    }

    /// Whether the user can be notified at all.
    var hasMeans: Bool { ring != nil || NotificationThread.isPossible }
}

/// Shows desktop notices of messages that the user does not read within a moment. Reads messages off the event loop,
/// and talks to the desktop on a thread of its own.
actor NoticeTeller {
    /// The unread messages of a tour that may still be notified of.
    private struct Unread {
        var messages: [ArrivedMessage] = []
        var olderCount = 0
        /// When to review them.
        var due: Instant?
    }

    /// By then an open page or chat has marked a message as read.
    private static let patience: Duration = .seconds(2)
    /// How long after reading the notices of read messages are removed.
    private static let tidyPause: Duration = .milliseconds(300)
    /// Messages written longer ago get no notice each: they were held up on an unreachable device.
    private static let oldAge: Duration = .seconds(600)
    private static let oldAnnouncementAge: Duration = .seconds(6 * 3_600)
    /// How many messages of a tour are kept for notices.
    private static let keptMax = 32

    private let slot: NodeSlot
    /// Opens when the user clicks a notice; nil: there is no page.
    private let door: PageListener?
    private let arrivals: AsyncStream<Arrival>
    private let settings: NoticeSettings
    private let start = ContinuousClock.now
    private var plan: NoticePlan
    private var tours: [String: Unread] = [:]
    private var isLooking = false
    private var notificationThread: NotificationThread?

    init(_ settings: NoticeSettings, arrivals: AsyncStream<Arrival>, slot: NodeSlot, door: PageListener?) {
        self.door = door
        self.settings = settings
        self.arrivals = arrivals
        self.slot = slot
        plan = NoticePlan(choice: settings.choice) { [language = settings.language] in $0.phrase.said(in: language) }
    }

    /// Runs until it is cancelled; then removes all of its notices.
    func run() async {
        let opener = AddressOpener()
        notificationThread = NotificationThread(
            openWord: Phrase("Open").said(in: settings.language),
            open: { [door] notice in door?.entryAddress(route: notice.route).map(opener.open) },
            report: { [weak self] event in
                Task { await self?.heed(event) }
            })
        await withDiscardingTaskGroup { tasks in
            for await arrival in arrivals {
                receive(arrival)
                guard !isLooking else { continue }
                isLooking = true
                tasks.addTask { await self.look() }
            }
            tasks.cancelAll()
        }
        await notificationThread?.end()
    }

    private var now: Instant { Instant(microseconds: (ContinuousClock.now - start).microseconds) }

    private func heed(_ event: NotificationThread.Event) async {
        switch event {
        case .dismissed(let tour): plan.dismissed(tour)
        case .answered(let reply, let tour):
            // A failed answer remains open in the page and in the commands.
            try? await slot.node.answer(reply.message, in: tour)
        }
    }

    private func receive(_ arrival: Arrival) {
        switch arrival {
        case .arrived(let tour, let messages, let olderCount):
            var unread = tours[tour] ?? Unread()
            let fresh = messages.filter { $0.age <= ($0.isAnnouncement ? Self.oldAnnouncementAge : Self.oldAge) }
            unread.messages = (unread.messages + fresh).suffix(Self.keptMax)
            unread.olderCount += olderCount + messages.count - fresh.count
            unread.due = unread.due ?? now + Self.patience
            tours[tour] = unread
        case .read(let tour):
            guard var unread = tours[tour] else { return }
            // The user is looking at the tour, so older messages there need no notice.
            unread.olderCount = 0
            unread.due = unread.due ?? now + Self.tidyPause
            tours[tour] = unread
        }
    }

    /// Runs while there is something to wait for.
    private func look() async {
        while let due = tours.values.compactMap(\.due).min(), !Task.isCancelled {
            let pause = due - now
            if pause > .zero {
                try? await Task.sleep(for: pause)
                continue
            }
            for tour in tours.filter({ $0.value.due.map { $0 <= now } ?? false }).keys.sorted() {
                await look(at: tour)
            }
        }
        isLooking = false
    }

    private func look(at tour: String) async {
        tours[tour]?.due = nil
        // A locked node has no messages to show.
        guard let picture = try? await slot.node.picture(ofTour: tour) else {
            tours[tour] = nil
            notificationThread?.close(tour: tour)
            return
        }
        guard var unread = tours[tour] else { return }
        let views = unread.messages.compactMap { message in picture.view.view(message).map { (message, $0) } }
            .filter { $0.1.unread && !$0.1.mine }
        unread.messages = views.map(\.0)
        let told = views.compactMap { NoticeMessage($0.1, settings.language) }
        let step = plan.step(
            NoticePlan.Unread(
                tour: tour, tourName: picture.name, messages: told, olderCount: unread.olderCount), now: now)
        switch step {
        case .show(let notice):
            notificationThread?.show(notice)
            if notice.sound == .alarm { settings.ring?() }
        case .close: notificationThread?.close(tour: tour)
        case .wait(let moment): unread.due = moment
        case .nothing: break
        }
        // Nothing new and nothing due: forgets the tour.
        tours[tour] = unread.messages.isEmpty && unread.olderCount == 0 && unread.due == nil ? nil : unread
    }
}

extension NoticeMessage {
    /// - Returns: nil for a message without a notice.
    fileprivate init?(_ view: Message, _ language: Language) {
        guard let text = Self.text(of: view) else { return nil }
        let isUrgent = view.type == "alarm" || view.metadata.urgent == true && view.metadata.expired != true
        let isTold = ["announcement", "meeting", "roll-call"].contains(view.type) && view.metadata.expired != true
        self.init(
            id: view.id, author: view.authorName + (view.authorNamesake.map { " (\($0))" } ?? ""),
            kind: isUrgent ? .urgent : isTold ? .announcement : .talk, text: text.said(in: language),
            replyWord: Self.replyWord(of: view, isUrgent: isUrgent)?.said(in: language))
    }

    private static func replyWord(of view: Message, isUrgent: Bool) -> Phrase? {
        switch view.type {
        case "roll-call": Phrase("I’m here")
        case "announcement" where isUrgent: Phrase("Understood")
        default: nil
        }
    }

    private static func text(of view: Message) -> Phrase? {
        let label = Phrase(verbatim: view.content)
        switch view.type {
        case "text", "announcement": return label
        case "location": return label.isEmpty ? Phrase("A place") : label
        case "image": return label.isEmpty ? Phrase("A picture") : Phrase("A picture: \(label)")
        case "file":
            let name = view.metadata.file?.name ?? ""
            return label.isEmpty ? Phrase("A file: \(name)") : Phrase("A file, \(name): \(label)")
        case "meeting":
            if view.metadata.cleared == true { return Phrase("There is no meeting point any more.") }
            let said = [view.metadata.meeting?.label, view.content].compactMap { $0 }.joined(separator: " · ")
            return Phrase("The meeting point: \(said)")
        case "roll-call": return label.isEmpty ? Phrase("Roll call: are you here?") : Phrase("Roll call: \(label)")
        case "alarm": return label.isEmpty ? Phrase("I am lost!") : Phrase("I am lost! \(label)")
        case "note", "place", "itinerary": return Phrase("Shared with all: \(label)")
        default: return nil
        }
    }
}
