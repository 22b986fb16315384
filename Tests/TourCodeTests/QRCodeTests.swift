import Testing
import TourCode
import TourModel

/// Goal: a phone can read what is shown. Method: the finder patterns and the quiet zone stand where the standard wants
/// them.
@Suite struct QRCodeTests {
    @Test func shape() throws {
        let code = try QRCode("tour-chat://join/ABC?a=192.168.1.20:4711")
        let zone = QRCode.quietZone
        #expect(code.columns == code.side + 2 * zone)
        for (row, column) in [(zone, zone), (zone, zone + code.side - 1), (zone + code.side - 1, zone)] {
            #expect(code.isDark(row: row, column: column))
        }
        for index in 0..<code.columns {
            #expect(!code.isDark(row: zone - 1, column: index) && !code.isDark(row: index, column: 0))
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 2_332), String(repeating: "ü", count: 1_166), "a\0b"])
    func whatNoCodeHoldsIsRefused(text: String) {
        #expect(throws: CodeError.badText) { try QRCode(text) }
    }

    @Test func theLongestTextFits() throws {
        #expect(try QRCode(String(repeating: "x", count: QRCode.textBytesMax)).side == 177)
    }

    @Test func everyErrorHasItsOwnDescription() {
        let errors: [CodeError] = [.noDrawer, .badText, .noScanner, .badFrame]
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(errors.map(\.code) == ["qr-code", "qr-code", "no-scanner", "bad-frame"])
        #expect(CodeError.noScanner.scope == .node && CodeError.badFrame.scope == .record)
    }
}
