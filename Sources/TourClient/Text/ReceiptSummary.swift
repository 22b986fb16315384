import TourAPI
import TourWords

// How many members have a message, and who is missing.
extension Receipts {
    /// Names, safe for a terminal.
    private var names: [String] { missing.map { TerminalText.safe($0) } }

    /// `41 of 46 have it, missing: Anna, Ben, …`: complete names, as many as fit.
    package func line(columns: Int, in language: Language = .ofUser) -> String {
        let all = words.said(in: language)
        guard DisplayWidth.of(all) > columns, !missing.isEmpty else {
            return DisplayWidth.fitting(all, columns: columns)
        }
        // The text around the names always has the same width.
        let comma = language.comma
        let around = DisplayWidth.of(naming(.empty).said(in: language)) + DisplayWidth.of(comma + "…")
        var names = ""
        for name in self.names {
            let next = names.isEmpty ? name : names + comma + name
            guard around + DisplayWidth.of(next) <= columns else { break }
            names = next
        }
        let line = naming(Phrase(verbatim: names.isEmpty ? "…" : names + comma + "…")).said(in: language)
        return DisplayWidth.fitting(line, columns: columns)
    }

    /// The whole text, however long.
    package var words: Phrase {
        if counts.members == 0 { return Phrase("Nobody else was in the tour when it was written.") }
        if missing.isEmpty { return Phrase("Everybody (\(counts.delivered) of \(counts.members)) has it.") }
        return naming(Phrase(list: names))
    }

    private func naming(_ names: Phrase) -> Phrase {
        Phrase("\(counts.delivered) of \(counts.members) have it, missing: \(names)")
    }

    /// The last line when the wait ends: says how to see later who is still missing, if that fits.
    package func lastLine(id: String, columns: Int, in language: Language = .ofUser) -> String {
        func hinted(_ line: String) -> String {
            Phrase("\(line). Later: tour-chat receipts \(id)").said(in: language)
        }
        let room = columns - DisplayWidth.of(hinted(""))
        guard !missing.isEmpty, room >= Self.lineColumnsMin else { return line(columns: columns, in: language) }
        return hinted(line(columns: room, in: language))
    }

    /// A narrower line leaves no room for a name.
    private static let lineColumnsMin = 30
}
