import TourCode
import TourHotspot
import TourPresentation
import TourPrint
import TourWords

/// A page for newcomers, to be printed: how they get the program, into the network and into the tour.
package struct TourCard: Sendable {
    package var tour: String
    /// As people type it.
    package var joinCode: String
    /// The network that the guide's machine serves; nil: another one.
    package var hotspot: Hotspot?

    package init(tour: String, joinCode: String, hotspot: Hotspot? = nil) {
        self.tour = tour
        self.joinCode = joinCode
        self.hotspot = hotspot
    }

    /// Without the addresses of a node, which change before a printed page does.
    package var link: String { "tour-chat://join/\(joinCode.replacing("-", with: ""))" }

    /// - Parameter surface: names what the newcomers do on their machines.
    /// - Throws: where no code can be drawn here.
    package func printed(
        _ size: PrintCard.Size, in language: Language, on surface: any Surface
    ) throws(CodeError) -> PrintCard {
        var codes: [PrintCard.Code] = []
        if let hotspot { codes.append(try Self.code(of: hotspot, in: language)) }
        codes.append(
            PrintCard.Code(
                title: Phrase("3. Into the tour").said(in: language), lines: [joinCode], rows: try Self.rows(link)))
        return PrintCard(
            size: size, title: tour, words: [.init(steps: steps(on: surface).map { $0.said(in: language) })],
            codes: codes,
            language: language.rawValue)
    }

    private func steps(on surface: any Surface) -> [Phrase] {
        [
            Self.way(into: hotspot),
            Phrase(
                """
                Get the package of Tour Chat from the guide (for Debian, Ubuntu or Raspberry Pi OS), and install it: \
                sudo apt install ./tour-chat_*.deb
                """),
            Phrase(
                """
                Open it with \(surface.name(of: .openPage)), choose \(surface.name(of: .joinTour)), and scan the code \
                or type it.
                """),
        ]
    }

    /// How one comes into the network.
    static func way(into hotspot: Hotspot?) -> Phrase {
        hotspot.map { Phrase("Enter the network “\($0.name)”: scan its code, or type its password.") }
            ?? Phrase("Enter the Wi-Fi that the guide names.")
    }

    /// The code of the network that this machine serves.
    static func code(of hotspot: Hotspot, in language: Language) throws(CodeError) -> PrintCard.Code {
        let lines = [Phrase("Network: \(hotspot.name)"), Phrase("Password: \(hotspot.password)")]
        return PrintCard.Code(
            title: Phrase("1. Into the network").said(in: language), lines: lines.map { $0.said(in: language) },
            rows: try rows(hotspot.codeText))
    }

    static func rows(_ text: String) throws(CodeError) -> [[Bool]] {
        let code = try QRCode(text)
        let inside = QRCode.quietZone..<QRCode.quietZone + code.side
        return inside.map { row in inside.map { code.isDark(row: row, column: $0) } }
    }
}
