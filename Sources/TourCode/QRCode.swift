import CQRCode

/// The modules of a QR code.
package struct QRCode: Sendable {
    /// The width of its white border, in modules. Source: ISO/IEC 18004, section 6.3.8.
    package static let quietZone = 4
    /// The capacity of the largest code at our level of correction. Source: ISO/IEC 18004, table 7, 40-M.
    package static let textBytesMax = 2_331

    /// Modules on each side, without the quiet zone.
    package let side: Int
    private let dark: [Bool]

    /// Whether codes can be drawn on this machine.
    package static let isAvailable = qrcode_library_load("libqrencode.so.4")

    /// - Throws: `noDrawer`, `badText`.
    package init(_ text: String) throws(CodeError) {
        // The library would read up to a null character.
        guard (1...Self.textBytesMax).contains(text.utf8.count), !text.utf8.contains(0) else { throw .badText }
        guard Self.isAvailable else { throw .noDrawer }
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { throw .badText }
        defer { QRcode_free(code) }
        let side = Int(code.pointee.width)
        let data = code.pointee.data
        self.side = side
        // The lowest bit means dark.
        dark = (0..<side * side).map { index in data.map { $0[index] & 1 == 1 } ?? false }
    }

    /// Modules on each side, with the quiet zone.
    package var columns: Int { side + 2 * Self.quietZone }

    /// Counted from the corner of the quiet zone.
    package func isDark(row: Int, column: Int) -> Bool {
        let (row, column) = (row - Self.quietZone, column - Self.quietZone)
        guard (0..<side).contains(row), (0..<side).contains(column) else { return false }
        return dark[row * side + column]
    }
}
