/// How a network of one's own stands.
package struct HotspotView: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        case off, starting, on
    }

    package var state: State
    /// The network that is served, or was last; nil: there was none, or NetworkManager does not tell its password.
    package var hotspot: Hotspot?
    /// The card that serves it, or would.
    package var interface: String?
    /// The network that the card left for it, or would leave.
    package var replaced: String?
    /// While it is off: why it cannot be turned on.
    package var obstacle: HotspotError?
}

/// What the user says about the network. A name or password that is not said stays as it was, or is made up; band and
/// security are those that most phones can use unless others are said.
package struct HotspotOrder: Hashable, Sendable {
    package var name: String?
    package var password: String?
    package var band: Hotspot.Band
    package var security: Hotspot.Security
    /// The name of the page for guests by https; nil: there is none.
    package var pageName: String?

    package init(
        name: String? = nil, password: String? = nil, band: Hotspot.Band = .wide,
        security: Hotspot.Security = .wpa2, pageName: String? = nil
    ) {
        self.name = name
        self.password = password
        self.band = band
        self.security = security
        self.pageName = pageName
    }

    /// - Parameter known: the network that was served last.
    package func hotspot(
        after known: Hotspot?, using generator: inout some RandomNumberGenerator
    ) throws(HotspotError) -> Hotspot {
        try Hotspot(
            name: name ?? known?.name ?? HotspotNames.name(using: &generator),
            password: password ?? known?.password ?? HotspotNames.password(using: &generator),
            band: band, security: security, pageName: pageName,
            network: known?.network ?? HotspotNetwork(using: &generator))
    }
}
