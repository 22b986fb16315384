import TourKeyring
import TourWords

extension KeyringError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase {
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
