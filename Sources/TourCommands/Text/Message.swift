import TourModel
import TourNode
import TourWeb
import TourWords

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
    /// Of type `meeting`: there is none any more.
    package let isCleared: Bool
    /// Of types `location` and `meeting`, what the place is called; and where, and how well that was measured.
    package let label: String?
    package let place: Phrase?
    /// Of types `image` and `file`; and of type `meeting`, the picture of the place.
    package let file: FileWords?
    /// Of types `note`, `place` and `itinerary`.
    package let record: RecordWords?
    /// Of type `roll-call`, in an export: what came of it.
    package let outcome: Phrase?

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
        isCleared = json["metadata"]?["cleared"]?.flag ?? false
        label = json["metadata"]?["label"]?.text
        place = json["metadata"].flatMap(PlaceWords.of)
        file = json["metadata"].flatMap { FileWords($0["photo"] ?? $0) }
        record = RecordWords(json)
        outcome = json["metadata"]?["roll"].map { RollWords($0).outcome }
    }

    /// The first eight digits of the id: enough to name it in a command.
    package var shortID: String { String(id.prefix(8)) }

    /// Who said it, safe for a terminal.
    package var author: String { authorName.whole }

    /// What it says, safe for a terminal, with its line breaks.
    package var body: Phrase {
        replyTo.map { Phrase("(to \(TerminalText.safe(String($0.prefix(8))))) \(words)") } ?? words
    }

    /// The same, with the beginning of the message that it answers.
    package func body(quoting original: Message, in language: Language) -> Phrase {
        let line = original.words.said(in: language).split(whereSeparator: \.isNewline).joined(separator: " ")
        let beginning = DisplayWidth.fitting(line, columns: Self.quotedColumnsMax)
        return Phrase("(to \(original.author): “\(beginning)”) \(words)")
    }

    private static let quotedColumnsMax = 30

    /// There is something in it that one can answer.
    package var isAnswerable: Bool { type != "withdrawn" && type != "unsupported" }

    private var words: Phrase {
        switch type {
        case "text": said
        case "announcement": orExpired(isUrgent ? Phrase("URGENT: \(said)") : Phrase("Announcement: \(said)"))
        case "location": Phrase("Location: \(location)")
        case "image": Phrase("Picture: \(file?.words ?? said)")
        case "file": Phrase("File: \(file?.words ?? said)")
        case "meeting": meeting
        case "roll-call":
            [content.isEmpty ? Phrase("Roll call") : Phrase("Roll call: \(said)"), outcome].compactMap { $0 }
                .reduce(.empty) { $0.isEmpty ? $1 : Phrase([$0, $1], separator: "\n") }
        case "alarm": content.isEmpty ? Phrase("LOST!") : Phrase("LOST! \(said)")
        case "note", "place", "itinerary": record?.words ?? Phrase(verbatim: TerminalText.safe(content))
        case "withdrawn": Phrase("(withdrawn)")
        case _ where reason == "before-joining": Phrase("(written before you joined)")
        default: Phrase("(this version cannot show it)")
        }
    }

    package var style: Style {
        switch type {
        case "text", "location", "image", "file", "note", "place", "itinerary": .plain
        case "alarm": .red
        case "announcement", "meeting", "roll-call": isExpired ? .dim : isUrgent ? .red : .bold
        default: .dim
        }
    }

    /// How far an own message has come; nothing for those of others.
    package var mark: Phrase {
        guard isMine, type != "withdrawn" else { return .empty }
        return switch status {
        case "pending": Phrase(verbatim: "…")
        case "sent": Phrase(verbatim: "✓")
        case "delivered": Phrase(verbatim: "✓✓")
        // A word, since colours are not for everybody.
        case "read": Phrase("✓✓ read")
        case "failed": reason == "not-accepted" ? Phrase("✗ not accepted") : Phrase("✗ failed")
        default: Phrase(verbatim: TerminalText.safe(status))
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
    private var location: Phrase {
        guard let place else { return said }
        let isLabelled = !place.english.hasPrefix(content)
        return isLabelled ? Phrase("\(said) (\(place))") : place
    }

    private var meeting: Phrase {
        if isCleared { return Phrase("(no meeting point any more)") }
        let named = label.map { TerminalText.safe($0) }.map { label in
            place.map { Phrase("\(label) (\($0))") } ?? Phrase(verbatim: label)
        }
        let whole =
            switch (named ?? place, meetAt?.clockTime) {
            case (let place?, let time?): Phrase("Meeting point: \(said) — \(place) at \(time)")
            case (let place?, nil): Phrase("Meeting point: \(said) — \(place)")
            case (nil, let time?): Phrase("Meeting point: \(said) at \(time)")
            case (nil, nil): Phrase("Meeting point: \(said)")
            }
        let lines = [orExpired(whole)] + (file.map { [Phrase("Picture: \($0.words)")] } ?? [])
        return Phrase(lines, separator: "\n")
    }

    private var said: Phrase { Phrase(verbatim: TerminalText.safe(content, keepsNewlines: true)) }

    private func orExpired(_ words: Phrase) -> Phrase { isExpired ? Phrase("\(words) (expired)") : words }
}
