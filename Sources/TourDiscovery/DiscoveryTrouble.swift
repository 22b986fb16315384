/// Why discovery does not work.
package enum DiscoveryTrouble: Hashable, Sendable {
    /// Avahi's client library of this file name cannot be loaded.
    case noLibrary(String)
    /// avahi-daemon does not run.
    case noDaemon
    /// The bus does not let this user talk to it.
    case accessDenied
    /// The daemon and the library do not fit each other.
    case versionMismatch
    /// The daemon, or the connection to it, went away.
    case wentAway
    /// No system bus is at this address.
    case noBus(address: String)
    /// It does not answer.
    case silent
    /// It refuses, with libavahi's own words.
    case refused(String)
    /// The system has none left.
    case noDescriptor, noMemory, noThread
}

extension DiscoveryTrouble: CustomStringConvertible {
    /// For logs.
    package var description: String {
        switch self {
        case .noLibrary(let name): "\(name) cannot be loaded"
        case .noDaemon: "avahi-daemon is not running"
        case .accessDenied: "D-Bus denies access to avahi-daemon"
        case .versionMismatch: "avahi-daemon and libavahi-client have versions that do not fit"
        case .wentAway: "avahi-daemon or its D-Bus connection went away"
        case .noBus(let address): "no D-Bus system bus at \(address)"
        case .silent: "avahi-daemon does not answer"
        case .refused(let words): "avahi-daemon refuses: \(words)"
        case .noDescriptor: "no file descriptor left"
        case .noMemory: "no memory left"
        case .noThread: "no thread left"
        }
    }
}
