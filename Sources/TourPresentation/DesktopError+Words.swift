import TourDesktop
import TourWords

extension DesktopError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .badPath:
            Phrase(
                """
                A desktop cannot start what lies there: move tour-chat, or its data, to a path without \
                control characters, equals signs and per cent signs.
                """)
        case .noHome: Phrase("Nothing says where your files are: set HOME or XDG_DATA_HOME.")
        case .failed(let path, let reason): Phrase("\(path) could not be changed: \(reason).")
        }
    }
}
