import TourWords

/// One step of what is known about the local network.
package enum DiscoveryEvent: Sendable, Equatable {
    /// New, or changed: it replaces what was found before under the same instance, interface and address family.
    case found(Candidate)
    /// Withdrawn, expired, or crowded out. Says nothing about links that already stand.
    case lost(instance: String, interface: Int32, isIPv6: Bool)
    case state(DiscoveryState)
}

/// Whether discovery works at the moment. It never stops trying: each state may follow each.
package enum DiscoveryState: Sendable, Equatable {
    case starting
    case running
    /// `reason` is in words for a user, and says what to do where that is known.
    case unavailable(reason: Phrase)
}
