import TourModel

/// Why the keyring of the user's session is of no use. Scope: the node, whose key may be kept there.
package enum KeyringError: Fault, Hashable {
    /// There is no session bus, or no program on it keeps secrets.
    case unavailable
    /// The library for the session bus is not installed.
    case noLibrary
    /// The keyring has no key under this id: it belongs to another user or machine, or somebody removed the key.
    case missing
    /// The keyring is locked, and the user was not asked, or declined.
    case locked
    /// The keyring answered with this error, or with something that is no answer.
    case failed(String)

    package var scope: FaultScope { .node }

    package var code: String {
        switch self {
        case .unavailable: "keyring-unavailable"
        case .noLibrary: "keyring-library-missing"
        case .missing: "keyring-missing"
        case .locked: "keyring-locked"
        case .failed: "keyring-failed"
        }
    }
    package var english: String {
        if case .failed(let name) = self { "the keyring failed (\(name))" } else { code }
    }
}
