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
    /// The same by http, where `link` has a name that not every network knows.
    package var plainLink: String?
    /// What is typed at `address`; nil: the digits let nobody in.
    package var digits: String?
    /// When the code lets nobody in any more.
    package var end: LocalMoment
    /// The network that this machine serves; nil: another one.
    package var hotspot: Hotspot?

    package init(
        tour: String, link: String, plainLink: String? = nil, digits: String?, end: LocalMoment, hotspot: Hotspot? = nil
    ) {
        self.tour = tour
        self.link = link
        self.plainLink = plainLink
        self.digits = digits
        self.end = end
        self.hotspot = hotspot
    }

    /// What a guest types: the link that every network finds, without the part that browsers keep to themselves.
    package var address: String { String((plainLink ?? link).prefix { $0 != "#" }) }

    /// - Parameter languages: one or more, each once; the largest letters are for the first one.
    /// - Throws: where no code can be drawn here.
    package func printed(_ size: PrintCard.Size, in languages: [Language]) throws(CodeError) -> PrintCard {
        let first = languages.first ?? .english
        var codes: [PrintCard.Code] = []
        if let hotspot { codes.append(try TourCard.code(of: hotspot, in: first)) }
        codes.append(
            PrintCard.Code(
                title: Phrase("2. Into the tour").said(in: first),
                lines: [address] + (digits.map { ["\($0.prefix(4)) \($0.suffix(4))"] } ?? []),
                rows: try TourCard.rows(link)))
        let words = languages.map { language in
            PrintCard.Words(steps: steps.map { $0.said(in: language) }, note: note.said(in: language))
        }
        return PrintCard(size: size, title: tour, words: words, codes: codes, language: first.rawValue)
    }

    private var steps: [Phrase] {
        [
            TourCard.way(into: hotspot),
            digits == nil
                ? Phrase("Scan the code with your phone's camera. There is nothing to install.")
                : Phrase(
                    """
                    Scan the code with your phone's camera, or open the address below it and type the eight digits. \
                    There is nothing to install.
                    """),
            Phrase(
                "Give your name. The device that lets you in writes for you, and can read and write as you."),
        ]
    }

    private var note: Phrase {
        Phrase("It lets you in until the guide ends the tour, and until \(end.text) at the latest.")
    }
}
