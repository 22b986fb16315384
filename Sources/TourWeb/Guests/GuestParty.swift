import CNetlink
import Glibc
import Synchronization

/// Whose an address is, as far as that bounds anything: one card gives itself IPv6 addresses without number. An IPv4
/// address stands for itself. Source: `Protocol/15-seats.md`, "Limits".
package struct GuestParty: Sendable {
    /// The hardware address behind an IPv6 address of a local network; nil: it is behind a router, or not known.
    package typealias Lookup = @Sendable ([UInt8]) -> [UInt8]?

    private let hardware: Lookup

    package init(hardware: @escaping Lookup) { self.hardware = hardware }

    /// - Parameter host: as `GuestAddress.host` has it.
    /// - Returns: the address itself; for one of IPv6 the hardware address, or its network of 64 bits.
    package func name(of host: String) -> String {
        guard let address = Self.bytes(of: host), !GuestAddress.isThisMachine(host) else { return host }
        if let hardware = hardware(address) { return "card " + Self.hex(hardware) }
        return "net " + Self.hex(address.prefix(8))
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// - Returns: nil for anything but IPv6.
    private static func bytes(of host: String) -> [UInt8]? {
        var address = in6_addr()
        guard host.contains(":"), inet_pton(AF_INET6, host, &address) == 1 else { return nil }
        return withUnsafeBytes(of: &address) { Array($0) }
    }
}

/// The neighbours in local networks as the kernel knows them, asked for as rarely as will do.
final class GuestNeighbours: Sendable {
    private struct State {
        var cards: [[UInt8]: [UInt8]] = [:]
        var readAt: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    private static let most: Int32 = 4_096
    /// Who has connected is a neighbour by then: an address that is not there is asked for again after this.
    private static let pause: Duration = .seconds(1)
    /// A card may change its address, and an address its card.
    private static let lifetime: Duration = .seconds(60)

    /// The hardware address behind an address; nil: it is not in a local network.
    func card(of address: [UInt8]) -> [UInt8]? {
        state.withLock { state in
            let age = state.readAt.map { $0.duration(to: .now) } ?? Self.lifetime
            if age >= (state.cards[address] == nil ? Self.pause : Self.lifetime) {
                state = State(cards: Self.read(), readAt: .now)
            }
            return state.cards[address]
        }
    }

    private static func read() -> [[UInt8]: [UInt8]] {
        var found = [netlink_neighbour](repeating: netlink_neighbour(), count: Int(most))
        let count = netlink_neighbours(&found, most)
        var cards: [[UInt8]: [UInt8]] = [:]
        for one in found.prefix(max(0, Int(count))) {
            cards[withUnsafeBytes(of: one.address) { Array($0) }] = withUnsafeBytes(of: one.hardware) { Array($0) }
        }
        return cards
    }
}
