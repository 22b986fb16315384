/// The addresses of a network that a machine serves: `10.x.y.0/24`, in which the machine has `10.x.y.1`. Each profile
/// has its own: NetworkManager gives all of them 10.42.0.1, and what a browser keeps for an address by plain http is
/// open to the next page at the same one.
package struct HotspotNetwork: Hashable, Sendable {
    /// Away from the numbers that people give their networks: 10.0, 10.1, 10.8, 10.10, 10.42.
    private static let second: ClosedRange<UInt8> = 64...250
    private static let third: ClosedRange<UInt8> = 1...254
    static let prefixBits: UInt32 = 24

    /// The machine's own address in it.
    package let address: String

    package init(using generator: inout some RandomNumberGenerator) {
        let second = UInt8.random(in: Self.second, using: &generator)
        address = "10.\(second).\(UInt8.random(in: Self.third, using: &generator)).1"
    }

    /// - Returns: nil unless it is one that this program may have chosen.
    init?(address: String) {
        let parts = address.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 4, let second = parts[1], let third = parts[2], Self.second.contains(second),
            Self.third.contains(third), address == "10.\(second).\(third).1"
        else { return nil }
        self.address = address
    }
}
