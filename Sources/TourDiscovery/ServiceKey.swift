/// Avahi's distinction of services: a node seen over IPv4 and IPv6 has two keys.
package struct ServiceKey: Sendable, Hashable {
    /// The service's instance name.
    package let instance: String
    /// The index of the local interface.
    package let interface: Int32
    /// Whether it was seen over IPv6.
    package let isIPv6: Bool

    package init(instance: String, interface: Int32, isIPv6: Bool) {
        self.instance = instance
        self.interface = interface
        self.isIPv6 = isIPv6
    }
}
