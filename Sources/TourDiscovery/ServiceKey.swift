/// What Avahi tells services apart by: one node seen over IPv4 and IPv6 has two.
package struct ServiceKey: Sendable, Hashable {
    package let instance: String
    package let interface: Int32
    package let isIPv6: Bool

    package init(instance: String, interface: Int32, isIPv6: Bool) {
        self.instance = instance
        self.interface = interface
        self.isIPv6 = isIPv6
    }
}
