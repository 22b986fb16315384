import TourModel
import TourNode
import TourWeb

/// One message as the local API gives it, as far as it is shown.
package struct Message: Hashable, Sendable {
    package let id: String
    package let authorID: String
    package let authorName: MemberName
    package let type: String
    package let content: String
    package let isUrgent: Bool
    package let isExpired: Bool
    package let sentAt: Timestamp?
    package let receivedAt: Timestamp?
    package let status: String
    package let isMine: Bool
    package let isUnread: Bool
    package let replyTo: String?
    /// Why it cannot be shown, or does not count. Source: `Protocol/Schema/local-api.yaml`.
    package let reason: String?
    /// Of type `meeting`: at what time.
    package let meetAt: Timestamp?
    /// Of types `location` and `meeting`, what the place is called; and where, and how well that was measured.
    package let label: String?
    package let place: String?
    /// Of types `image` and `file`; and of type `meeting`, the picture of the place.
    package let file: FileWords?
    /// Of types `note`, `place` and `itinerary`.
    package let record: RecordWords?

    /// - Returns: nil for an object without an id.
    package init?(_ json: JSON) {
        guard let id = json["id"]?.text else { return nil }
        self.id = id
        authorID = json.shown("authorID")
        let name = json.shown("authorName")
        authorName = MemberName(
            name.isEmpty ? String(authorID.prefix(8)) : name, namesake: json.shown("authorNamesake"),
            role: json.shown("authorRole"))
        type = json.shown("type")
        content = json.shown("content")
        isUrgent = json["metadata"]?["urgent"]?.flag ?? false
        isExpired = json["metadata"]?["expired"]?.flag ?? false
        sentAt = Timestamp(json.shown("sentAt"))
        receivedAt = Timestamp(json.shown("receivedAt"))
        status = json.shown("status")
        isMine = json["mine"]?.flag ?? false
        isUnread = json["unread"]?.flag ?? false
        replyTo = json["replyTo"]?.text
        reason = json["metadata"]?["reason"]?.text
        meetAt = Timestamp(json["metadata"]?.shown("meetAt") ?? "")
        label = json["metadata"]?["label"]?.text
        place = json["metadata"].flatMap(PlaceWords.of)
        file = json["metadata"].flatMap { FileWords($0["photo"] ?? $0) }
        record = RecordWords(json)
    }

    /// The first eight digits of the id: enough to name it in a command.
    package var shortID: String { String(id.prefix(8)) }

    /// Who said it, safe for a terminal.
    package var author: String { authorName.whole }

    /// What it says, safe for a terminal, with its line breaks.
    package var body: String {
        switch type {
        case "text": reply + TerminalText.safe(content, keepsNewlines: true)
        case "announcement":
            (isUrgent ? "URGENT: " : "Announcement: ") + TerminalText.safe(content, keepsNewlines: true)
                + (isExpired ? " (expired)" : "")
        case "location": reply + "Location: " + location
        case "image": reply + "Picture: " + (file?.text ?? TerminalText.safe(content, keepsNewlines: true))
        case "file": reply + "File: " + (file?.text ?? TerminalText.safe(content, keepsNewlines: true))
        case "meeting": meeting
        case "note", "place", "itinerary": record?.text ?? TerminalText.safe(content)
        case "withdrawn": "(withdrawn)"
        case _ where reason == "before-joining": "(written before you joined)"
        default: "(this version cannot show it)"
        }
    }

    package var style: Style {
        switch type {
        case "text", "location", "image", "file", "note", "place", "itinerary": .plain
        case "announcement", "meeting": isExpired ? .dim : isUrgent ? .red : .bold
        default: .dim
        }
    }

    /// How far an own message has come; nothing for those of others.
    package var mark: String {
        guard isMine, type != "withdrawn" else { return "" }
        return switch status {
        case "pending": "…"
        case "sent": "✓"
        case "delivered": "✓✓"
        // A word, since colours are not for everybody.
        case "read": "✓✓ read"
        case "failed": reason == "not-accepted" ? "✗ not accepted" : "✗ failed"
        default: TerminalText.safe(status)
        }
    }

    package var markStyle: Style {
        switch status {
        case "delivered": .green
        case "read": .cyan
        case "failed": .red
        default: .dim
        }
    }

    /// A label with the place behind it, or the place alone.
    private var location: String {
        guard let place else { return TerminalText.safe(content, keepsNewlines: true) }
        let isLabelled = !place.hasPrefix(content)
        return isLabelled ? "\(TerminalText.safe(content, keepsNewlines: true)) (\(place))" : place
    }

    private var meeting: String {
        guard let place else { return "(no meeting point any more)" }
        let named = label.map { "\(TerminalText.safe($0)) (\(place))" } ?? place
        let time = meetAt.map { " at \($0.clockTime)" } ?? ""
        return "Meeting point: \(TerminalText.safe(content, keepsNewlines: true)) — \(named)\(time)"
            + (isExpired ? " (expired)" : "") + (file.map { "\nPicture: \($0.text)" } ?? "")
    }

    private var reply: String { replyTo.map { "(to \(TerminalText.safe(String($0.prefix(8))))) " } ?? "" }
}
