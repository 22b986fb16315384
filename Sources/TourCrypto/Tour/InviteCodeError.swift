import TourModel

/// Why a text is no invite code; each case asks something else of the person who typed it.
package enum InviteCodeError: Fault {
    /// A character that no invite code has.
    case notBase32
    /// Too short or too long: letters are missing, or there are too many.
    case wrongLength
    /// A code of another version of the protocol.
    case wrongVersion
    /// Some letter is wrong.
    case mistyped

    package var scope: FaultScope { .record }

    package var code: String {
        switch self {
        case .notBase32: "code-letters"
        case .wrongLength: "code-length"
        case .wrongVersion: "code-version"
        case .mistyped: "code-mistyped"
        }
    }
}
