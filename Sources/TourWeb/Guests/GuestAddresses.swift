import TourModel

/// The addresses at which guests had their seats lately: a few of each seat, so that no guest fills the memory with
/// addresses. Source: `Protocol/15-seats.md`, "Limits".
package struct GuestAddresses: Sendable {
    private struct Stay {
        let seat, address: String
        let at: Instant
    }

    /// In the order of their times.
    private var stays: [Stay] = []

    package init() {}

    /// A guest has its seat at this address, or had it until now.
    package mutating func record(_ address: String, of seat: String, now: Instant) {
        stays.removeAll {
            $0.seat == seat && $0.address == address || now - $0.at >= GuestLimits.addressTime
        }
        stays.append(Stay(seat: seat, address: address, at: now))
        if stays.count(where: { $0.seat == seat }) > GuestLimits.channelsMax,
            let oldest = stays.firstIndex(where: { $0.seat == seat })
        {
            stays.remove(at: oldest)
        }
        if stays.count > KeyedRate<String>.keysMax { stays.removeFirst() }
    }

    /// Seats have ended: their addresses are any address again.
    package mutating func forget(_ seats: Set<String>) { stays.removeAll { seats.contains($0.seat) } }

    /// Whether a guest had its seat at this address lately.
    package func has(_ address: String, now: Instant) -> Bool {
        stays.contains { $0.address == address && now - $0.at < GuestLimits.addressTime }
    }
}
