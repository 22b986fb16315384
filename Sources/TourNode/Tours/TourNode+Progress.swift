import TourGossip
import TourModel
import TourStore

// How far the user is: which tour is meant, when each was used, and what was read.
extension TourNode {
    /// Notes that the tour was used just now. It goes to the disk only now and then: the days on which new epochs begin
    /// and the order of the tours hang on it.
    func noteUse(of session: TourSession) {
        let wall = NodeClock.wallMilliseconds
        session.record.usedAt = wall
        guard abs(wall - session.savedUseAt) >= Self.useKeptMilliseconds else { return }
        saveProgress(of: session)
    }

    private static let chosenSetting = "chosen-tour"

    /// As it is stored; where nothing is, as an earlier version left it, the one used last.
    static func chosenTour(_ store: TourStore, of sessions: [TourSession]) throws(StoreError) -> TourID? {
        if let stored = try store.setting(chosenSetting) { return TourID(stored) }
        let active = sessions.filter(\.isActive)
        guard let latest = active.max(by: { ($0.record.usedAt, $0.tour) < ($1.record.usedAt, $1.tour) }) else {
            return nil
        }
        try store.setSetting(chosenSetting, value: latest.tour.bytes)
        return latest.tour
    }

    /// Makes this the tour that is meant where none is named. One that is named is not chosen by that.
    func choose(_ session: TourSession) {
        guard chosen != session.tour else { return }
        chosen = session.tour
        do { try store.setSetting(Self.chosenSetting, value: session.tour.bytes) } catch { count(error) }
    }

    package func useTour(_ tour: String?) throws -> TourSummary {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        choose(session)
        return try self.tour(session.tour.hex)
    }

    private static var useKeptMilliseconds: Int64 { 10_000 }

    /// The user has read up to here, which is further than before, or less far since something came late: kept, counted
    /// in the statuses here, and told to the others.
    func readMoved(to clock: LogicalClock, _ session: TourSession) {
        // Whoever tells of what is new looks again in any case.
        arrivals?.yield(.read(tour: session.tour.hex))
        guard clock != session.record.readThrough else { return }
        session.record.readThrough = clock
        saveProgress(of: session)
        session.board.noteRead(clock, at: NodeClock.wallMicroseconds)
        session.isBoardStale = true
        scheduleBoard(session)
        feed(session, .readMoved(clock))
    }

    /// Keeps what was read and when the tour was used, beside the loop. What a crash takes of it is no loss.
    func saveProgress(of session: TourSession) {
        let tour = session.tour
        let usedAt = session.record.usedAt
        let readThrough = session.record.readThrough
        session.savedUseAt = usedAt
        writeBeside { store throws(StoreError) in
            try store.saveProgress(tour, usedAt: usedAt, readThrough: readThrough)
        }
    }

    /// Writes beside the loop what may be lost: it comes again, or nothing hangs on it.
    func writeBeside(_ write: @escaping @Sendable (TourStore) throws(StoreError) -> Void) {
        reader.submit { [self] in
            let written = Result { () throws(StoreError) in try write(store) }
            return { [self] in
                if case .failure(let error) = written { assumeIsolated { $0.count(error) } }
            }
        }
    }
}
