import TourAPI
import TourCrypto
import TourModel

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
