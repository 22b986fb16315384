import TourCode
import TourHotspot
import TourPresentation
import TourPrint
import TourWords

/// A sign for guests, to be printed: how a phone without the app comes into the network and into the tour.
package struct GuestSign: Sendable {
    package var tour: String
    /// Behind the code; it holds as long as the pass in it.
    package var link: String
    /// The network that this machine serves; nil: another one.
    package var hotspot: Hotspot?

    package init(tour: String, link: String, hotspot: Hotspot? = nil) {
        self.tour = tour
        self.link = link
        self.hotspot = hotspot
    }

    /// The link without the part that browsers keep to themselves: as a guest would type it.
    package var address: String { String(link.prefix { $0 != "#" }) }

    /// - Throws: where no code can be drawn here.
    package func printed(_ size: PrintCard.Size, in language: Language) throws(CodeError) -> PrintCard {
        var codes: [PrintCard.Code] = []
        if let hotspot { codes.append(try TourCard.code(of: hotspot, in: language)) }
        codes.append(
            PrintCard.Code(
                title: Phrase("2. Into the tour").said(in: language), lines: [address], rows: try TourCard.rows(link)))
        return PrintCard(
            size: size, title: tour, steps: steps.map { $0.said(in: language) }, codes: codes,
            language: language.rawValue)
    }

    private var steps: [Phrase] {
        [
            TourCard.way(into: hotspot),
            Phrase("Scan the code with your phone's camera. There is nothing to install."),
            Phrase(
                "Give your name. The device that lets you in writes for you, and can read and write as you."),
        ]
    }
}
