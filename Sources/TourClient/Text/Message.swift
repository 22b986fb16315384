import TourAPI
import TourModel
import TourWords

// A message, as people read it.
extension Message {
    package var isUrgent: Bool { metadata.urgent ?? false }
    package var isExpired: Bool { metadata.expired ?? false }
    /// When it was written, by its author's clock.
    package var sentTime: Timestamp? { Timestamp(sentAt) }
    /// When it arrived here.
    package var receivedTime: Timestamp? { Timestamp(receivedAt) }
    /// Its file, or the picture of the meeting point that it sets.
    package var file: FileView? { metadata.file ?? metadata.meeting?.photo }

    /// The author's name with its sign.
    package var byline: MemberName {
        MemberName(
            authorName.isEmpty ? String(authorID.prefix(8)) : authorName, namesake: authorNamesake ?? "",
            role: authorRole)
    }

    /// The first eight digits of the id: enough to name it in a command.
    package var shortID: String { String(id.prefix(8)) }

    /// The author's name, safe for a terminal.
    package var author: String { byline.whole }

    /// The message's words, safe for a terminal, with line breaks.
    package var body: Phrase { body(outcome: nil) }

    /// The same, with the result of the roll call that it began.
    package func body(outcome: Phrase?) -> Phrase {
        let words = orClockWrong(words(outcome))
        return replyTo.map { Phrase("(to \(TerminalText.safe(String($0.prefix(8))))) \(words)") } ?? words
    }

    /// The same, after the beginning of the message that it answers.
    package func body(quoting original: Message, in language: Language) -> Phrase {
        let line = original.words(nil).said(in: language).split(whereSeparator: \.isNewline).joined(separator: " ")
        let beginning = DisplayWidth.fitting(line, columns: Self.quotedColumnsMax)
        return Phrase("(to \(original.author): “\(beginning)”) \(orClockWrong(words(nil)))")
    }

    private static let quotedColumnsMax = 30

    /// Whether it has content that can be answered.
    package var isAnswerable: Bool { !["withdrawn", "withheld", "unsupported"].contains(type) }

    private func words(_ outcome: Phrase?) -> Phrase {
        guard let alone = metadata.alone else { return openWords(outcome) }
        return alone.memberID == authorID
            ? Phrase("To the guides alone: \(openWords(outcome))")
            : Phrase("To \(TerminalText.safe(alone.name)) alone: \(openWords(outcome))")
    }

    private func openWords(_ outcome: Phrase?) -> Phrase {
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
        case "note", "place", "itinerary": record ?? Phrase(verbatim: TerminalText.safe(content))
        case "withdrawn": Phrase("(withdrawn)")
        case "withheld": Phrase("(written while only guides could write)")
        case _ where metadata.reason == .beforeJoining: Phrase("(written before you joined)")
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
        guard mine, type != "withdrawn" else { return .empty }
        return switch status {
        case .pending: Phrase(verbatim: "…")
        case .sent: Phrase(verbatim: "✓")
        case .delivered: Phrase(verbatim: "✓✓")
        // With a word, since not everybody sees colours.
        case .read: Phrase("✓✓ read")
        case .failed:
            switch metadata.reason {
            case .notAccepted: Phrase("✗ not accepted")
            case .quiet: Phrase("✗ not shown: only guides wrote then")
            default: Phrase("✗ failed")
            }
        }
    }

    /// The style of its mark.
    package var markStyle: Style {
        switch status {
        case .delivered: .green
        case .read: .cyan
        case .failed: .red
        case .pending, .sent: .dim
        }
    }

    /// The label followed by the place, or the place alone.
    private var location: Phrase {
        guard let place = metadata.location.map({ PlaceWords.of($0.fix) }) else { return said }
        let isLabelled = !place.english.hasPrefix(content)
        return isLabelled ? Phrase("\(said) (\(place))") : place
    }

    private var meeting: Phrase {
        if metadata.cleared == true { return Phrase("(no meeting point any more)") }
        let place = metadata.meeting?.place.map { PlaceWords.of($0) }
        let meetAt = metadata.meeting?.meetAt.flatMap { Timestamp($0) }
        let named = metadata.meeting?.label.map { TerminalText.safe($0) }.map { label in
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

    private func orClockWrong(_ words: Phrase) -> Phrase {
        metadata.clockWrong == true ? Phrase("\(words) (clock is wrong)") : words
    }

    private func orExpired(_ words: Phrase) -> Phrase { isExpired ? Phrase("\(words) (expired)") : words }
}
