import TourDiscovery
import TourWords

extension DiscoveryTrouble {
    /// Why discovery does not work, with advice where that is known; worded to follow a colon.
    package var phrase: Phrase {
        switch self {
        case .noLibrary(let name):
            Phrase(
                """
                \(name) cannot be loaded: install Avahi's client library (Debian: libavahi-client3), then start the \
                node anew
                """)
        case .noDaemon: Phrase("avahi-daemon is not running: start it")
        case .accessDenied: Phrase("D-Bus does not let this user talk to avahi-daemon")
        case .versionMismatch: Phrase("avahi-daemon and libavahi-client have versions that do not fit")
        case .wentAway: Phrase("avahi-daemon or its D-Bus connection went away: start avahi-daemon")
        case .noBus(let address): Phrase("no D-Bus system bus at \(address): start dbus")
        case .silent: Phrase("avahi-daemon does not answer: restart it")
        case .refused(let words): Phrase("avahi-daemon refuses: \(words)")
        case .noDescriptor: Phrase("no file descriptor left for discovery")
        case .noMemory: Phrase("no memory left for discovery")
        case .noThread: Phrase("no thread left for discovery")
        }
    }
}
