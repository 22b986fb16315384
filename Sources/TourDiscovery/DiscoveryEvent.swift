/// A change of what is known about the local network.
package enum DiscoveryEvent: Sendable, Equatable {
    /// New or changed: replaces what was found before under the same instance, interface and address family.
    case found(Candidate)
    /// Withdrawn, expired, or crowded out. Links that are already open are not affected.
    case lost(instance: String, interface: Int32, isIPv6: Bool)
    /// Whether discovery works has changed.
    case state(DiscoveryState)
}

/// Whether discovery works at the moment. It never stops trying: any state may follow any other.
package enum DiscoveryState: Sendable, Equatable {
    /// Discovery is starting, or the daemon is.
    case starting
    /// Discovery works.
    case running
    /// Discovery does not work, for this reason.
    case unavailable(reason: DiscoveryTrouble)
}
