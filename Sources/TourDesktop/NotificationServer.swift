import TourBus
import TourModel

/// The notification server of the user's session. Calls block for a short time; use from one thread at a time.
/// Source: Desktop Notifications Specification 1.3.
package final class NotificationServer {
    private static let object = BusObject(
        service: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
        interface: "org.freedesktop.Notifications")
    private static let callMilliseconds: Int32 = 2_000
    private static let applicationName = "Tour Chat"

    /// The user's reaction to a notification.
    enum Event: Hashable {
        case opened(Notice)
        /// By its button.
        case answered(Notice.Reply, tour: String)
        case closed(tour: String)
    }

    private let bus: BusConnection
    private let openWord: String
    /// Names of the server's capabilities: `body-markup`, `actions` and others.
    private let abilities: Set<String>
    /// The visible notifications, by the server's ids.
    private var shown: [UInt32: Notice] = [:]

    /// Starts the server if the session has one that does not run yet.
    /// - Throws: `BusError` where there is none.
    /// - Parameter openWord: the label of the button that opens a notification, in the user's language.
    package init(openWord: String) throws(BusError) {
        self.openWord = openWord
        bus = try BusConnection()
        let answer = try bus.call(Self.object, "GetCapabilities", [], milliseconds: Self.callMilliseconds)
        guard case .list(let words, _)? = answer.first else { throw .failed("no abilities in the answer") }
        abilities = Set(words.compactMap { if case .text(let word) = $0 { word } else { nil } })
        let object = Self.object
        bus.watch(
            "type='signal',sender='\(object.service)',path='\(object.path)',interface='\(object.interface)'")
    }

    /// Becomes readable when there may be events.
    var descriptor: Int32? { bus.descriptor }

    var tours: [String] { shown.values.map(\.tour) }

    /// Shows a notification in place of the tour's visible one, if there is one.
    package func show(_ notice: Notice) throws(BusError) {
        let before = id(of: notice.tour)
        let answer = try bus.call(
            Self.object, "Notify",
            [
                .text(Self.applicationName), .number(before ?? 0), .text(DesktopFiles.shownIcon),
                .text(notice.summary), .text(bodyText(notice.body)), actions(notice), hints(notice),
                // As long as the server decides, or until the user dismisses it.
                .integer(notice.urgency == .critical ? 0 : -1),
            ], milliseconds: Self.callMilliseconds)
        guard case .number(let id)? = answer.first else { throw .failed("no id in the answer") }
        if let before { shown[before] = nil }
        shown[id] = notice
    }

    func close(tour: String) throws(BusError) {
        guard let id = id(of: tour) else { return }
        shown[id] = nil
        _ = try bus.call(Self.object, "CloseNotification", [.number(id)], milliseconds: Self.callMilliseconds)
    }

    /// Events since the last call.
    /// - Throws: `unavailable` once the bus has gone.
    func events() throws(BusError) -> [Event] {
        var events: [Event] = []
        for signal in try bus.signals(waiting: 0) {
            guard signal.interface == Self.object.interface, case .number(let id)? = signal.values.first,
                let notice = shown[id]
            else { continue }
            switch signal.name {
            case "ActionInvoked":
                if let reply = notice.reply, signal.values.dropFirst().first == .text(Self.replyAction) {
                    events.append(.answered(reply, tour: notice.tour))
                } else {
                    events.append(.opened(notice))
                }
            case "NotificationClosed":
                shown[id] = nil
                events.append(.closed(tour: notice.tour))
            default: break
            }
        }
        return events
    }

    private func id(of tour: String) -> UInt32? { shown.first { $0.value.tour == tour }?.key }

    /// Escapes other people's text for a server that interprets markup.
    private func bodyText(_ text: String) -> String {
        abilities.contains("body-markup") ? MarkupText.escaped(text) : text
    }

    private static let replyAction = "reply"

    /// A click on the notification itself, and buttons.
    private func actions(_ notice: Notice) -> BusValue {
        guard abilities.contains("actions") else { return .list([], of: "s") }
        let reply = notice.reply.map { [Self.replyAction, $0.word] } ?? []
        return .list((["default", openWord] + reply + ["open", openWord]).map { .text($0) }, of: "s")
    }

    private func hints(_ notice: Notice) -> BusValue {
        var hints: [String: BusValue] = [
            "urgency": .byte(notice.urgency.rawValue), "category": .text("im.received"),
            "desktop-entry": .text(DesktopFiles.name),
        ]
        if let sound = notice.sound {
            hints["sound-name"] = .text(sound.rawValue)
        } else {
            hints["suppress-sound"] = .flag(true)
        }
        return .map(hints.mapValues { .variant($0) }, of: "v")
    }
}
