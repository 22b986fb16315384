import TourJSON
import TourWeb
import TourWords

/// How many members have a message, and who is missing, from the local API.
package struct ReceiptSummary: Hashable, Sendable {
    /// How many should have it.
    package let members: Int
    /// How many have it, whether they read it or not.
    package let delivered: Int
    /// How many have read it.
    package let read: Int
    /// Names, safe for a terminal.
    package let missing: [String]

    /// - Returns: nil for an object that is no answer about receipts.
    package init?(_ json: JSON) {
        guard let counts = json["counts"], let members = counts["members"]?.integer,
            let delivered = counts["delivered"]?.integer, let read = counts["read"]?.integer,
            let missing = json["missing"]?.list
        else { return nil }
        self.members = members
        self.delivered = delivered
        self.read = read
        self.missing = missing.compactMap(\.text).map { TerminalText.safe($0) }
    }

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
        for name in missing {
            let next = names.isEmpty ? name : names + comma + name
            guard around + DisplayWidth.of(next) <= columns else { break }
            names = next
        }
        let line = naming(Phrase(verbatim: names.isEmpty ? "…" : names + comma + "…")).said(in: language)
        return DisplayWidth.fitting(line, columns: columns)
    }

    /// The whole text, however long.
    package var words: Phrase {
        if members == 0 { return Phrase("Nobody else was in the tour when it was written.") }
        if missing.isEmpty { return Phrase("Everybody (\(delivered) of \(members)) has it.") }
        return naming(Phrase(list: missing))
    }

    private func naming(_ names: Phrase) -> Phrase {
        Phrase("\(delivered) of \(members) have it, missing: \(names)")
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
