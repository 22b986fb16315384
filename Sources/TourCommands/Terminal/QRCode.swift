import CQRCode

/// The modules of a QR code.
package struct QRCode: Sendable {
    /// White modules around it. Source: ISO/IEC 18004, section 6.3.8.
    package static let quietZone = 4

    /// Modules a side, without the quiet zone.
    package let side: Int
    private let dark: [Bool]

    private static let isLibraryLoaded = qrcode_library_load("libqrencode.so.4")

    /// - Throws: `CommandFailure` when the text is empty or too long (about 2,300 bytes), or the library is missing.
    package init(_ text: String) throws(CommandFailure) {
        guard Self.isLibraryLoaded else {
            throw CommandFailure(code: "qr-code", message: "no QR code can be made: libqrencode.so.4 is not installed")
        }
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else {
            throw CommandFailure(code: "qr-code", message: "no QR code can be made of this link")
        }
        defer { QRcode_free(code) }
        let side = Int(code.pointee.width)
        let data = code.pointee.data
        self.side = side
        // The lowest bit says dark.
        dark = (0..<side * side).map { index in data.map { $0[index] & 1 == 1 } ?? false }
    }

    /// Modules a side with the quiet zone: also the columns of `lines`.
    package var columns: Int { side + 2 * Self.quietZone }

    /// Counted from the corner of the quiet zone.
    package func isDark(row: Int, column: Int) -> Bool {
        let (row, column) = (row - Self.quietZone, column - Self.quietZone)
        guard (0..<side).contains(row), (0..<side).contains(column) else { return false }
        return dark[row * side + column]
    }

    /// Two rows of modules in a line of half blocks.
    /// - Parameter colored: black on white whatever the terminal's colours are; else light modules are drawn, which
    ///   is right for a dark background.
    package func lines(colored: Bool) -> [String] {
        stride(from: 0, to: columns, by: 2).map { row in
            var line = ""
            for column in 0..<columns {
                // A last half row below the quiet zone counts as light.
                let upper = isDark(row: row, column: column)
                let lower = isDark(row: row + 1, column: column)
                switch (upper, lower) {
                case (true, true): line += colored ? "█" : " "
                case (true, false): line += colored ? "▀" : "▄"
                case (false, true): line += colored ? "▄" : "▀"
                case (false, false): line += colored ? " " : "█"
                }
            }
            return colored ? "\u{1B}[38;5;16;48;5;231m\(line)\u{1B}[0m" : line
        }
    }
}
