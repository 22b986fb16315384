import TourCrypto
import TourModel

/// A tour near this node that answers askers.
package struct NearbyTour: Encodable, Sendable {
    /// Names it in requests, 16 hexadecimal digits; lives for a quarter of an hour.
    package var tag: String
    /// Two words, which the screens of its members show as well.
    package var label: String
    /// How many devices answer for it.
    package var devices: Int
}

/// What this node asks.
package struct AskView: Encodable, Sendable {
    /// How far a question is.
    package enum State: String, Encodable, Sendable {
        case none, connecting, waiting, admitted, refused, joining
    }

    package var state: State
    @Nullable package var label: String?
    /// To be compared with the member's screen.
    @Nullable package var words: [String]?
    /// What the tour is called, as the other side says.
    @Nullable package var tour: String?
    /// Why nobody let us in.
    @Nullable package var refusal: AskTrouble?
    @Nullable package var secondsLeft: Int?

    /// - Parameter own: nil: nothing was asked.
    init(_ own: OwnAsk?, now: Instant) {
        guard let own else {
            state = .none
            return
        }
        label = ComparedWords.label(of: own.tag)
        words = own.words?.words
        secondsLeft = own.secondsLeft(now: now)
        switch own.state {
        case .connecting: state = .connecting
        case .waiting: state = .waiting
        case .admitted(_, let name): (state, tour) = (.admitted, name)
        case .refused(let reason): (state, refusal) = (.refused, AskTrouble(reason))
        case .unreachable: (state, refusal) = (.refused, .unreachable)
        case .joining: state = .joining
        }
    }
}

/// Those who ask here to be let into a tour.
package struct AskingView: Encodable, Sendable {
    /// Somebody who asks.
    package struct Asker: Encodable, Sendable {
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
    package struct Code: Encodable, Sendable {
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
}
