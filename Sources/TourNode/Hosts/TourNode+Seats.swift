import TourCrypto
import TourModel
import TourStore

// What the node tells the seats that it gives.
extension TourNode {
    /// Whether a guest of this node waits for this run to be on the disk.
    func isGuests(_ run: VerifiedRun) -> Bool {
        run.events.first.map { event in seats.assumeIsolated { $0.writes(for: event.header.author) } } ?? false
    }

    func recordStored(_ arrived: [ArrivedEvent], in tour: TourID) {
        seats.assumeIsolated { $0.stored(arrived.map(\.stored.event), in: tour) }
    }
}
