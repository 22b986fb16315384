import TourModel

/// A tour near this node that answers askers.
package struct NearbyTour: Encodable, Hashable, JSONObject {
    /// Names it in requests, 16 hexadecimal digits; lives for a quarter of an hour.
    package var tag: String
    /// Two words, which the screens of its members show as well.
    package var label: String
    /// How many devices answer for it.
    package var devices: Int
}

/// Those who ask here to be let into a tour.
package struct AskingView: Encodable, JSONObject {
    /// Somebody who asks.
    package struct Asker: Encodable, Hashable, JSONObject {
        package var id: String
        /// What it wants to be called.
        package var name: String
        package var words: [String]
        /// How its screen calls the tour.
        package var label: String
        package var secondsLeft: Int
        /// Somebody else who asks, or a member, has this name too.
        package var sameName: Bool
    }

    /// What the user reads aloud.
    package struct Code: Encodable, JSONObject {
        package var digits: String
        package var usesLeft: Int
        package var secondsLeft: Int
    }

    /// Whether this device answers askers, as far as its user wants.
    package var on: Bool
    /// Whether its user may let people in.
    package var mayInvite: Bool
    /// How the screens of askers call the tour; null where nobody can ask.
    @Nullable package var label: String?
    package var asks: [Asker]
    @Nullable package var code: Code?

    /// Without what changes every second.
    package var lasting: Self {
        var lasting = self
        lasting.code?.secondsLeft = 0
        for index in lasting.asks.indices { lasting.asks[index].secondsLeft = 0 }
        return lasting
    }
}
