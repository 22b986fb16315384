import TourModel

/// Why this machine serves no network of its own. Scope: the request, or what the machine lacks.
package enum HotspotError: Fault, Hashable {
    /// The library for the machine's bus is not installed.
    case noLibrary
    /// NetworkManager does not run here.
    case noManager
    /// NetworkManager ended, or was restarted, in the middle.
    case managerGone
    /// The machine's rules do not let this user change networks.
    case refused
    /// There is no Wi-Fi card.
    case noCard
    /// Wi-Fi is off: by a switch of the device, or in its settings.
    case wifiOff(bySwitch: Bool)
    /// Something other than NetworkManager runs the only card, the one of this interface.
    case notManaged(String)
    /// The card is there and does not work, for want of firmware or since it is blocked.
    case notReady(String)
    /// No card can serve a network; this is one of them.
    case cannotServe(String)
    /// No card that can serve a network has 5 GHz; this is one of them.
    case noFiveGigahertz(String)
    /// The card tried and failed.
    case notStarted(Cause, interface: String)
    /// The name of a network has 1 to 32 bytes, and no control characters.
    case badName
    /// The password is shorter or longer than WPA allows.
    case passwordLength
    /// The password has other letters than those that each keyboard has.
    case passwordLetters
    /// NetworkManager answered with the error of this name, or with something that is no answer.
    case failed(String)

    /// What failed.
    package enum Cause: Hashable, Sendable {
        /// The card did not begin to serve: its driver cannot, or not on this band, in this country.
        case card
        /// The same, of a network by WPA3 or on 5 GHz, which fewer cards can serve.
        case wpa3, fiveGigahertz
        /// What gives addresses to those who come did not start.
        case sharing
        /// It was not done in time.
        case timeout
        /// Somebody else ended it, or took the card for another network.
        case ended
    }

    package var scope: FaultScope {
        switch self {
        case .badName, .passwordLength, .passwordLetters: .record
        default: .node
        }
    }

    package var code: String {
        switch self {
        case .noLibrary: "hotspot-library-missing"
        case .noManager: "hotspot-no-manager"
        case .managerGone: "hotspot-manager-gone"
        case .refused: "hotspot-refused"
        case .noCard: "hotspot-no-card"
        case .wifiOff: "hotspot-wifi-off"
        case .notManaged: "hotspot-not-managed"
        case .notReady: "hotspot-not-ready"
        case .cannotServe: "hotspot-cannot-serve"
        case .noFiveGigahertz: "hotspot-no-5ghz"
        case .notStarted: "hotspot-not-started"
        case .badName: "hotspot-name"
        case .passwordLength: "hotspot-password-length"
        case .passwordLetters: "hotspot-password-letters"
        case .failed: "hotspot-failed"
        }
    }
}
