import TourJSON
import TourModel
import TourNode
import TourWeb
import TourWords

/// One message of the local API, with the fields that are shown.
package struct Message: Hashable, Sendable {
    package let id: String
    package let authorID: String
    package let authorName: MemberName
    /// As the local API spells it: `text`, `announcement` and the like.
    package let type: String
    /// The text, not yet safe for a terminal.
    package let content: String
    package let isUrgent: Bool
    package let isExpired: Bool
    /// When it was written, by its author's clock.
    package let sentAt: Timestamp?
    /// When it arrived here.
    package let receivedAt: Timestamp?
    /// `MessageStatus` of the local API.
    package let status: String
    package let isMine: Bool
    package let isUnread: Bool
    /// The id of the message that it replies to.
    package let replyTo: String?
    /// Why it cannot be shown, or does not count. Source: `Protocol/Schema/local-api.yaml`.
    package let reason: String?
    /// For type `meeting`: when to meet.
    package let meetAt: Timestamp?
    /// For type `meeting`: the meeting point was cleared.
    package let isCleared: Bool
    /// For types `location` and `meeting`: the name of the place, and its coordinates with their accuracy.
    package let label: String?
    package let place: Phrase?
    /// For types `image` and `file`; and for type `meeting` the picture of the place.
    package let file: FileWords?
    /// For types `note`, `place` and `itinerary`.
    package let record: RecordWords?
    /// For type `roll-call`, in an export: the result.
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

    /// The author's name, safe for a terminal.
    package var author: String { authorName.whole }

    /// The message's words, safe for a terminal, with line breaks.
    package var body: Phrase {
        replyTo.map { Phrase("(to \(TerminalText.safe(String($0.prefix(8))))) \(words)") } ?? words
    }

    /// The same, after the beginning of the message that it answers.
    package func body(quoting original: Message, in language: Language) -> Phrase {
        let line = original.words.said(in: language).split(whereSeparator: \.isNewline).joined(separator: " ")
        let beginning = DisplayWidth.fitting(line, columns: Self.quotedColumnsMax)
        return Phrase("(to \(original.author): “\(beginning)”) \(words)")
    }

    private static let quotedColumnsMax = 30

    /// Whether it has content that can be answered.
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

    /// The style of its words.
    package var style: Style {
        switch type {
        case "text", "location", "image", "file", "note", "place", "itinerary": .plain
        case "alarm": .red
        case "announcement", "meeting", "roll-call": isExpired ? .dim : isUrgent ? .red : .bold
        default: .dim
        }
    }

    /// How far our own message has come; empty for those of others.
    package var mark: Phrase {
        guard isMine, type != "withdrawn" else { return .empty }
        return switch status {
        case "pending": Phrase(verbatim: "…")
        case "sent": Phrase(verbatim: "✓")
        case "delivered": Phrase(verbatim: "✓✓")
        // With a word, since not everybody sees colours.
        case "read": Phrase("✓✓ read")
        case "failed": reason == "not-accepted" ? Phrase("✗ not accepted") : Phrase("✗ failed")
        default: Phrase(verbatim: TerminalText.safe(status))
        }
    }

    /// The style of its mark.
    package var markStyle: Style {
        switch status {
        case "delivered": .green
        case "read": .cyan
        case "failed": .red
        default: .dim
        }
    }

    /// The label followed by the place, or the place alone.
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
