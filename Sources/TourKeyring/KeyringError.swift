import TourModel
import TourWords

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

    package var phrase: Phrase {
        switch self {
        case .unavailable: Phrase("the storage key lies in the keyring of your session, and there is none here: log in")
        case .noLibrary:
            Phrase(
                """
                the storage key lies in the keyring of your session, and what asks it cannot be loaded: install \
                the D-Bus library (libdbus-1.so.3; Debian: libdbus-1-3)
                """)
        case .missing:
            Phrase(
                """
                the keyring of this session does not have the storage key: log in as whom it belongs to, on its \
                machine
                """)
        case .locked: Phrase("the keyring of your session is locked: unlock it and try again")
        case .failed(let name): Phrase("the keyring of your session failed (\(name))")
        }
    }
}
