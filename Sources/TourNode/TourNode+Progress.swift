import TourGossip
import TourModel
import TourStore

// How far the user is: which tour was used last, and what was read.
extension TourNode {
    /// Notes that the tour was used just now. It goes to the disk when another one was the latest, and else only now
    /// and then: only the order of the tours hangs on it.
    func noteUse(of session: TourSession) {
        let wall = NodeClock.wallMilliseconds
        let isLatest = (try? self.session(nil).tour) == session.tour
        session.record.usedAt = wall
        guard !isLatest || abs(wall - session.savedUseAt) >= Self.useKeptMilliseconds else { return }
        saveProgress(of: session)
    }

    private static var useKeptMilliseconds: Int64 { 10_000 }

    /// The user has read on: kept, counted in the statuses here, and told to the others.
    func readMoved(to clock: LogicalClock, _ session: TourSession) {
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
