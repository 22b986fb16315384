/// The direction in which text is read. Terminals that support it reorder a whole row at once.
package enum ReadingDirection {
    private static let leftToRightMark = "\u{200E}"
    private static let border: Character = "│"

    /// The text at the right of a row after a border, kept apart so that neither reorders the other: where either is
    /// read from right to left, there is a mark of no width on both sides of the border.
    package static func apart(_ side: String, from row: String) -> String {
        guard isRightToLeft(row) || isRightToLeft(side), let border = side.firstIndex(of: border) else { return side }
        let behind = side.index(after: border)
        return side[..<border] + leftToRightMark + side[border..<behind] + leftToRightMark + side[behind...]
    }

    private static func isRightToLeft(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in rightToLeft.contains { $0.contains(scalar.value) } }
    }

    /// Blocks of scripts that are read from right to left. Source: Unicode 16, DerivedBidiClass.
    private static let rightToLeft: [ClosedRange<UInt32>] = [
        0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
    ]
}
