import TourBlob
import TourModel
import TourStore

// Other chores of files: the policy, retries, the end.
extension TourNode {
    private static let policySetting = "file-policy"
    /// How often a file that found no room is tried again.
    private static let retryInterval: Duration = .seconds(300)
    /// After this long without a chunk an open file gives up its place to a waiting one.
    private static let stuckTime: Duration = .seconds(30)

    static func filePolicy(_ store: TourStore, given: FilePolicy?) throws -> FilePolicy {
        if let given {
            try store.setSetting(policySetting, value: Array(given.rawValue.utf8))
            return given
        }
        let stored = try store.setting(policySetting).map { String(decoding: $0, as: UTF8.self) }
        return stored.flatMap(FilePolicy.init(rawValue:)) ?? .always
    }

    /// Suspends until the disk work submitted so far is done.
    func settleFiles() async {
        await withCheckedContinuation { done in files.submit { { done.resume() } } }
    }

    /// Once a second.
    func tickFiles(now: Instant) {
        for session in sessions.values {
            let desk = session.files
            tickCasts(of: session, now: now)
            tickFilesOnline(of: session, now: now)
            if let stuck = desk.stuck(for: Self.stuckTime, now: now) {
                desk.open[stuck] = nil
                feed(session, files: .close(stuck))
                desk.enqueue(stuck)
                openNext(in: session)
            }
            for id in desk.dueAgain(now: now, interval: Self.retryInterval) { fetch(id, session) }
        }
    }

    /// Puts everything written so far on the disk before the store closes.
    func endFiles(of session: TourSession) {
        session.casts.end()
        session.files.end()
        session.files.online.stop()
        for file in session.files.open.values {
            files.submit {
                try? file.synchronize()
                return {}
            }
        }
        session.files.open = [:]
    }

    /// The part of `status` about files.
    package struct FilesStatus: Encodable, Sendable {
        /// See `FilePolicy`.
        package var policy: String
        /// Files of the tour, how many of them are complete here, and the bytes of those.
        package var count: Int
        /// Of `count`, those that are complete here.
        package var complete: Int
        /// Bytes of the complete files.
        package var bytes: UInt64
        /// Files being fetched.
        package var fetching: Int
        /// Files that the server is known to have.
        package var atServer: Int
        /// Casts in progress, received or sent here.
        package var casts: Int
        /// Bytes received so far of files that are open.
        package var bytesPerSecond: UInt64
    }

    func filesStatus(of session: TourSession) -> FilesStatus {
        let desk = session.files
        let known = desk.known.values
        let now = NodeClock.now
        return FilesStatus(
            policy: filePolicy.rawValue, count: known.count, complete: known.count { $0.progress.complete },
            bytes: known.reduce(0) { $0 + $1.progress.have },
            fetching: desk.open.keys.count { desk.known[$0]?.progress.complete == false },
            atServer: desk.online.there.count, casts: session.casts.count,
            bytesPerSecond: desk.meters.values.reduce(0) { $0 + $1.rate(at: now) })
    }
}
