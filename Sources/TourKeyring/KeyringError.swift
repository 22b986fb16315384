import TourModel
import TourWords

/// Why the keyring of the user's session does not help. Scope: the node, whose key may lie there.
package enum KeyringError: SpokenFault, Hashable {
    /// There is no session bus, or nothing on it keeps secrets.
    case unavailable
    /// The library that talks to the session bus is not installed.
    case noLibrary
    /// The keyring has nothing under this id: it is another user's, another machine's, or somebody removed it.
    case missing
    /// The keyring is locked, and nobody was asked or whoever was asked said no.
    case locked
    /// It answered with this error, or with what is no answer.
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
