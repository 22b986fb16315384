import SwiftProtobuf
import TourModel

/// What a seat's log says of the member who writes it. Source: `Protocol/15-seats.md`, "Seat records".
package struct SeatRecord: Hashable, Sendable {
    /// The length of the sealed keys in bytes: nonce, seed and tag.
    package static let keysBytes = 72

    /// The member who writes the log from here on.
    package var host: MemberID
    /// The seat's identity seed, sealed under the phone secret: `keysBytes` bytes.
    package var keys: [UInt8]

    /// - Parameter keys: `keysBytes` bytes, which is for the caller to see to.
    package init(host: MemberID, keys: [UInt8]) {
        self.host = host
        self.keys = keys
    }

    init?(_ wire: WireSeatRecord) {
        guard let host = MemberID(wire.host), wire.keys.count == Self.keysBytes else { return nil }
        self.init(host: host, keys: Array(wire.keys))
    }

    var wire: WireSeatRecord {
        .with {
            $0.host = host.data
            $0.keys = wireData(keys)
        }
    }
}

/// Where a member gives seats. Source: `Protocol/15-seats.md`, "Hosts".
package struct SeatHost: Hashable, Sendable {
    /// The most addresses.
    package static let addressesMax = 8
    /// The longest address in bytes.
    package static let addressBytesMax = 64

    /// The static key of its channel; nil: it gives no seats any more.
    package var key: LinkKey?
    /// `HOST:PORT`, `[V6]:PORT` or `https://NAME:PORT`, where phones reach its page: at most `addressesMax`, each of 1
    /// to `addressBytesMax` bytes.
    package var addresses: [String]

    /// - Parameter addresses: those beyond the bounds are left out.
    package init(key: LinkKey?, addresses: [String]) {
        self.key = key
        self.addresses = Array(addresses.lazy.filter { $0.fits(Self.addressBytesMax) }.prefix(Self.addressesMax))
    }

    init?(_ wire: WireSeatHost) {
        guard let key: LinkKey? = wire.key.isEmpty ? .some(nil) : LinkKey(wire.key).map({ .some($0) }),
            wire.addresses.count <= Self.addressesMax,
            wire.addresses.allSatisfy({ $0.fits(Self.addressBytesMax) })
        else { return nil }
        self.init(key: key, addresses: wire.addresses)
    }

    var wire: WireSeatHost {
        .with {
            if let key { $0.key = key.data }
            $0.addresses = addresses
        }
    }
}
