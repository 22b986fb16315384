import TourWire

// Faults of asking to be let in.
extension NodeError {
    /// Why a request about asking fails.
    package enum AskingFault: Hashable, Sendable {
        /// Not eight digits.
        case badDigits
        /// Not the tag of a tour near this node.
        case badTag
        /// No tour near this node answers askers.
        case noTourNear
        /// Several do: their labels.
        case severalTours([String])
        /// Nobody has let us in.
        case notAdmitted
        /// Nobody of this id asks any more.
        case unknownAsker
        /// Uses that no spoken code has.
        case badUses
        /// The user has turned asking off.
        case off

        var code: String {
            switch self {
            case .badDigits: "bad-digits"
            case .badTag: "bad-tag"
            case .noTourNear: "no-tour-near"
            case .severalTours: "several-tours"
            case .notAdmitted: "not-admitted"
            case .unknownAsker: "unknown-asker"
            case .badUses: "bad-uses"
            case .off: "asking-off"
            }
        }
    }
}

/// Why nobody let an asker in.
package enum AskTrouble: String, Encodable, Sendable, CaseIterable {
    /// Nobody was there, or the one who was has gone.
    case unreachable
    case refused, busy, expired, closed, spent
    case noCode = "no-code"
    case wrongCode = "wrong-code"

    init(_ refusal: AskRefusal) {
        self =
            switch refusal {
            case .refused: .refused
            case .busy: .busy
            case .expired: .expired
            case .closed: .closed
            case .noCode: .noCode
            case .wrongCode: .wrongCode
            case .spent: .spent
            }
    }
}
