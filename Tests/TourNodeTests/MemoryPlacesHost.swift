import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourNode

/// A node around the sharing of its position, in memory: its receiver speaks, and its clocks go, when a test says so.
final class MemoryPlacesHost: PlacesHost {
    var now = Instant(microseconds: 1_000_000_000)
    var wallMicroseconds: Int64 = 1_767_225_600_000_000
    var isOnline = true
    var hasReceiver = false
    var isActive = true
    /// The store refuses to write.
    var isFull = false

    let keys = MemberKeys.random()
    private(set) var readings = 0
    private(set) var published: [VerifiedPosition] = []
    private(set) var settings: [String: [UInt8]] = [:]
    private(set) var faults: [String] = []

    func beginReading() -> Task<Void, Never>? {
        readings += 1
        return Task {}
    }

    func facts(of tour: TourID) -> PlacesFacts? { PlacesFacts(own: keys.memberID, isActive: isActive) }

    func sign(_ digest: [UInt8], in tour: TourID) -> [UInt8]? { keys.identity.sign(digest) }

    func publish(_ position: VerifiedPosition, in tour: TourID) { published.append(position) }

    func setting(_ name: String) -> [UInt8]? { settings[name] }

    func setSetting(_ name: String, _ value: [UInt8]?) throws {
        if isFull { throw CancellationError() }
        settings[name] = value
    }

    func count(_ fault: any Fault) { faults.append(fault.code) }

    /// Both clocks go on.
    func pass(_ duration: Duration) {
        now = now + duration
        wallMicroseconds += duration.microseconds
    }
}
