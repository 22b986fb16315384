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

    /// `41 of 46, missing: Anna, Ben, …`: whole names, as many as there is room for.
    package func line(columns: Int) -> String {
        var line = "\(delivered) of \(members)"
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
}
