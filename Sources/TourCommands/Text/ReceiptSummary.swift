import TourWeb

/// How many have a message, and who is missing, as the local API tells it.
package struct ReceiptSummary: Hashable, Sendable {
    package let members: Int
    /// Read or not.
    package let delivered: Int
    package let read: Int
    /// Safe for a terminal.
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

    /// `41 of 46 have it, missing: Anna, Ben, …`: whole names, as many as there is room for.
    package func line(columns: Int) -> String {
        if missing.isEmpty {
            return DisplayWidth.fitting("Everybody (\(delivered) of \(members)) has it.", columns: columns)
        }
        var line = "\(delivered) of \(members) have it"
        for (index, name) in missing.enumerated() {
            let separator = index == 0 ? ", missing: " : ", "
            let next = line + separator + name
            let reserve = index == missing.count - 1 ? 0 : DisplayWidth.of(", …")
            guard DisplayWidth.of(next) + reserve <= columns else {
                return DisplayWidth.fitting(line + separator + "…", columns: columns)
            }
            line = next
        }
        return DisplayWidth.fitting(line, columns: columns)
    }

    /// All of it, however long.
    package var words: String {
        members == 0 ? "Nobody else was in the tour when it was written." : line(columns: .max)
    }

    /// The line when nobody waits any longer: it says how to see later who is still missing, where there is room.
    package func lastLine(id: String, columns: Int) -> String {
        let hint = ". Later: tour-chat receipts \(id)"
        let room = columns - DisplayWidth.of(hint)
        guard !missing.isEmpty, room >= Self.lineColumnsMin else { return line(columns: columns) }
        return line(columns: room) + hint
    }

    /// Less than this leaves no name of the missing.
    private static let lineColumnsMin = 30
}
