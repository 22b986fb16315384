import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourPosition
import TourStore
import TourWire

/// What surrounds the sharing of a position in a running node.
// Made, used and dropped on the node's loop. What comes later finds the tour again by its id.
struct LivePlacesHost: PlacesHost {
    let node: TourNode

    var now: Instant { NodeClock.now }
    var wallMicroseconds: Int64 { NodeClock.wallMicroseconds }
    var isOnline: Bool { !node.settings.isOffline && !node.assumeIsolated { $0.isStopping } }
    var hasReceiver: Bool { node.settings.gpsd != nil }

    func beginReading() -> Task<Void, Never>? {
        guard let gpsd = try? node.receiver(at: nil) else { return nil }
        weak let node = node
        return Task { await gpsd.follow { await node?.receive($0) } }
    }

    func facts(of tour: TourID) -> PlacesFacts? {
        node.assumeIsolated { $0.sessions[tour].map { PlacesFacts(own: $0.own, isActive: $0.isActive) } }
    }

    func sign(_ digest: [UInt8], in tour: TourID) -> [UInt8]? {
        node.assumeIsolated { $0.sessions[tour]?.keys.identity.sign(digest) }
    }

    func publish(_ position: VerifiedPosition, in tour: TourID) {
        node.assumeIsolated { node in
            guard let session = node.sessions[tour] else { return }
            node.feed(session, .position(position))
        }
    }

    func setting(_ name: String) -> [UInt8]? { try? node.store.setting(name) }

    func setSetting(_ name: String, _ value: [UInt8]?) throws {
        do { try node.store.setSetting(name, value: value) } catch { throw NodeError.store(error) }
    }

    func count(_ fault: any Fault) { node.assumeIsolated { $0.count(fault) } }
}
