import TourModel
import TourPosition

/// This node's own position: when its receiver is read, and what it said last.
///
/// Used on the node's loop alone.
package final class OwnPosition {
    /// Reads the receiver as long as anything needs it.
    private var reader: Task<Void, Never>?
    /// The newest reading, and when it arrived.
    private var latest: (reading: Reading, at: Instant)?

    /// How long a reading is good enough for the next request.
    private static let askingPause: Duration = .seconds(10)

    package init() {}

    /// Our position; nil when it is not known now.
    package func fix(_ now: Instant) -> Fix? {
        guard let latest, case .fix(let fix) = latest.reading, now - latest.at <= Limits.positionLifetime else {
            return nil
        }
        return fix
    }

    /// Why there is no fix now; nil when there is one, or no reading has arrived yet.
    package var fault: PositionFault? {
        guard let latest, case .nothing(let fault) = latest.reading else { return nil }
        return fault
    }

    /// Reads the receiver while a tour of these shares the position, or the node was started with its address.
    package func watch(for tours: [TourSharing], _ host: some PlacesHost) {
        guard host.hasReceiver || tours.contains(where: \.isSharing), host.isOnline else { return stop() }
        if reader == nil { reader = host.beginReading() }
    }

    /// Forgets the position as well.
    package func stop() {
        reader?.cancel()
        (reader, latest) = (nil, nil)
    }

    /// While nothing is shared, nothing reads the receiver: it is asked once, and then not for a while, whatever the
    /// answer.
    package func wantsReading(_ host: some PlacesHost) -> Bool {
        guard reader == nil, host.isOnline else { return false }
        return latest.map { host.now - $0.at >= Self.askingPause } ?? true
    }

    /// The answer to a request that `wantsReading` allowed.
    package func record(_ reading: Reading, _ host: some PlacesHost) {
        // If a sharing began meanwhile, the receiver itself reports the position.
        if reader == nil, host.isOnline { latest = (reading, host.now) }
    }

    /// The receiver reports: sends the position to the tours that share it.
    package func receive(_ reading: Reading, for tours: [TourSharing], _ host: some PlacesHost) {
        latest = (reading, host.now)
        guard case .fix(let fix) = reading else { return }
        for tour in tours { tour.send(fix, host) }
    }
}
