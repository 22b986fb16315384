import TourModel

/// One interface of this machine as far as discovery cares.
package struct NetworkInterface: Sendable, Equatable {
    package let index: Int32
    package let name: String
    package let isLoopback: Bool
    /// Numeric, without a zone, sorted.
    package let addresses: [String]

    package init(index: Int32, name: String, isLoopback: Bool, addresses: [String]) {
        self.index = index
        self.name = name
        self.isLoopback = isLoopback
        self.addresses = Array(addresses.sorted().prefix(Limits.addressesPerInterfaceMax))
    }

    /// Which of `all` to publish and browse on, by index.
    ///
    /// Those with a name in `chosen`, or all when it is empty; without an address none. The loopback interface only
    /// when it is chosen, or when there is nothing else: then nodes of one machine still find each other.
    package static func select(from all: [NetworkInterface], chosen: [String]) -> [NetworkInterface] {
        var usable = all.filter { !$0.addresses.isEmpty }
        if chosen.isEmpty {
            let outward = usable.filter { !$0.isLoopback }
            if !outward.isEmpty { usable = outward }
        } else {
            usable = usable.filter { chosen.contains($0.name) }
        }
        return Array(usable.sorted { $0.index < $1.index }.prefix(Limits.discoveryInterfacesMax))
    }
}
