import TourModel

/// Why a text is no invite code; each case asks the person who typed it for another correction.
package enum InviteCodeError: Fault {
    /// A character that occurs in no invite code.
    case notBase32
    /// Letters are missing, or there are too many.
    case wrongLength
    /// A code of another version of the protocol.
    case wrongVersion
    /// At least one letter is wrong.
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
