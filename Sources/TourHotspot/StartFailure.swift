/// What NetworkManager's reason for the end of a start means.
package enum StartFailure {
    /// - Parameter reason: as the card told it; nil: it told none. Source: NetworkManager, `NMDeviceStateReason`.
    package static func cause(_ reason: UInt32?, of hotspot: Hotspot) -> HotspotError.Cause {
        switch reason {
        // Sharing did not start, or failed; no address.
        case 5, 18, 19: .sharing
        // Removed, asleep, the profile was removed, the user ended it, another network is started.
        case 36, 37, 38, 39, 60: .ended
        default: hotspot.band == .fast ? .fiveGigahertz : hotspot.security == .wpa3 ? .wpa3 : .card
        }
    }
}
