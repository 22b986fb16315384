import TourAPI
import TourGossip
import TourModel
import TourRuntime
import TourStore

// The user's progress: the chosen tour, when each tour was used, and what was read.
extension TourNode {
    /// Records that the tour was used just now. Written to the disk only from time to time: no more than the days on
    /// which new epochs begin and the order of the tours depend on it.
    func recordUse(of session: TourSession) {
        let wall = NodeClock.wallMilliseconds
        session.record.usedAt = wall
        guard abs(wall - session.savedUseAt) >= Self.useKeptMilliseconds else { return }
        saveProgress(of: session)
    }

    private static let chosenSetting = "chosen-tour"

    /// The stored choice; if an earlier version stored none, the tour used last.
    static func chosenTour(_ store: TourStore, of sessions: [TourSession]) throws(StoreError) -> TourID? {
        if let stored = try store.setting(chosenSetting) { return TourID(stored) }
        let active = sessions.filter(\.isActive)
        guard let latest = active.max(by: { ($0.record.usedAt, $0.tour) < ($1.record.usedAt, $1.tour) }) else {
            return nil
        }
        try store.setSetting(chosenSetting, value: latest.tour.bytes)
        return latest.tour
    }

    /// Makes this the tour that requests without a tour's name mean. Naming a tour in a request does not choose it.
    func choose(_ session: TourSession) {
        guard chosen != session.tour else { return }
        chosen = session.tour
        do { try store.setSetting(Self.chosenSetting, value: session.tour.bytes) } catch { count(error) }
    }

    /// Makes a tour the chosen one.
    package func useTour(_ tour: String?) throws -> TourSummary {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        choose(session)
        return try self.tour(session.tour.hex)
    }

    private static var useKeptMilliseconds: Int64 { 10_000 }

    /// The user has read up to here, which is further than before, or less far since a message arrived late: stores
    /// that, counts it in the statuses here, and publishes it in claims.
    func readMoved(to clock: LogicalClock, _ session: TourSession) {
        // Notifications are reviewed in any case.
        arrivals?.yield(.read(tour: session.tour.hex))
        guard clock != session.record.readThrough else { return }
        session.record.readThrough = clock
        saveProgress(of: session)
        feed(session, .read(clock))
    }

    /// Stores how far the user has read and when the tour was used, off the loop. Losing this in a crash does no
    /// harm.
    func saveProgress(of session: TourSession) {
        let tour = session.tour
        let usedAt = session.record.usedAt
        let readThrough = session.record.readThrough
        session.savedUseAt = usedAt
        writeBeside { store throws(StoreError) in
            try store.saveProgress(tour, usedAt: usedAt, readThrough: readThrough)
        }
    }

    /// Writes data off the loop that may be lost: it is sent again, or nothing depends on it.
    func writeBeside(_ write: @escaping @Sendable (TourStore) throws(StoreError) -> Void) {
        reader.submit { [self] in
            let written = Result { () throws(StoreError) in try write(store) }
            return { [self] in
                if case .failure(let error) = written { assumeIsolated { $0.count(error) } }
            }
        }
    }
}
