import TourModel

/// One interface of this machine, as discovery needs it.
package struct NetworkInterface: Sendable, Equatable {
    /// The most interfaces published on: a machine with more is a container host, and Avahi's groups are limited.
    private static let publishedMax = 16
    /// The most addresses published for each interface: Avahi accepts 32 entries in a group by default.
    package static let addressesMax = 16

    /// The system's index.
    package let index: Int32
    /// The system's name.
    package let name: String
    /// Whether it is the loopback.
    package let isLoopback: Bool
    /// Numeric addresses without a zone, sorted.
    package let addresses: [String]

    package init(index: Int32, name: String, isLoopback: Bool, addresses: [String]) {
        self.index = index
        self.name = name
        self.isLoopback = isLoopback
        self.addresses = Array(addresses.sorted().prefix(Self.addressesMax))
    }

    /// The interfaces of `all` to publish and browse on, by index.
    ///
    /// Those with a name in `chosen`, or all when it is empty; none without an address. The loopback only when it is
    /// chosen, or when there is nothing else: then nodes of one machine still find each other.
    package static func select(from all: [NetworkInterface], chosen: [String]) -> [NetworkInterface] {
        var usable = all.filter { !$0.addresses.isEmpty }
        if chosen.isEmpty {
            let outward = usable.filter { !$0.isLoopback }
            if !outward.isEmpty { usable = outward }
        } else {
            usable = usable.filter { chosen.contains($0.name) }
        }
        return Array(usable.sorted { $0.index < $1.index }.prefix(Self.publishedMax))
    }
}
