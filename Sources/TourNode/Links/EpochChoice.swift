import TourGossip
import TourModel

/// Which epoch's secret to dial an address with: where the newest led to nobody, the next older one.
struct EpochChoice: Sendable {
    /// Failed dials of each address since the last one that led to a member.
    private var failures: [Dialer.Address: Int] = [:]

    /// A dial led to a member: the next one begins with the newest epoch again.
    mutating func recordSuccess(at address: Dialer.Address) { failures[address] = nil }

    mutating func recordFailure(at address: Dialer.Address) {
        if failures.count >= Limits.candidatesMax { failures = [:] }
        failures[address, default: 0] += 1
    }

    /// Which of `count` secrets, newest first, to try at an address.
    func choice(of count: Int, for address: Dialer.Address) -> Int { (failures[address] ?? 0) % max(count, 1) }
}
