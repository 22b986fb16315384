import TourModel

/// The files of a tour at its server: one at a time is sent there, or fetched from there.
/// Source: `Protocol/09-mailbox.md`, "Files".
package final class OnlineFiles {
    /// A file of the tour, as far as its transfer matters.
    package struct Candidate: Hashable, Sendable {
        package var id: BlobID
        /// Its size and chunks.
        package var shape: BlobShape
        /// Whether this node's member sent it.
        package var isOwn: Bool
        /// Whether all of it is here.
        package var isComplete: Bool
        /// Since when it has been wanted and open while no neighbour offered any part of it.
        package var waitingSince: Instant?

        package init(id: BlobID, shape: BlobShape, isOwn: Bool, isComplete: Bool, waitingSince: Instant?) {
            self.id = id
            self.shape = shape
            self.isOwn = isOwn
            self.isComplete = isComplete
            self.waitingSince = waitingSince
        }
    }

    /// The next transfer, in one direction.
    package enum Work: Hashable, Sendable {
        case upload(BlobID)
        case download(BlobID)

        var file: BlobID {
            switch self {
            case .upload(let id), .download(let id): id
            }
        }
    }

    /// How a transfer ended.
    package enum Outcome: Sendable {
        /// The server has the whole file.
        case there
        /// The file was fetched.
        case came
        /// The server does not have the whole file.
        case notThere
        /// The server rejects it, or sent something else.
        case refused
        /// The network or the server failed.
        case failed
    }

    private(set) var work: Work?
    private var task: Task<Void, Never>?
    /// Files that the server has.
    package private(set) var there: Set<BlobID> = []
    /// Files to leave alone until this time.
    private var notBefore: [BlobID: Instant] = [:]

    /// How long neighbours have to offer a file before the server is asked.
    private static let patience: Duration = .seconds(5)
    /// How long members other than the author leave the upload to the author; a random time, so that one of them
    /// comes first.
    private static let otherDelay: ClosedRange<Int64> = 20_000_000...120_000_000
    private static let missingPause: Duration = .seconds(30)
    private static let failurePause: Duration = .seconds(60)
    private static let refusedPause: Duration = .seconds(3_600)

    package init() {}

    /// The next transfer, if any: files wanted here come before files that others may want.
    package func next(
        _ candidates: [Candidate], now: Instant, using rng: inout some RandomNumberGenerator
    ) -> Work? {
        for file in candidates where file.shape.chunkCount > 0 && !file.isComplete && isDue(file.id, now) {
            if let since = file.waitingSince, now - since >= Self.patience { return .download(file.id) }
        }
        var found: Work?
        for file in candidates where file.isComplete && !there.contains(file.id) {
            guard (1...Limits.mailboxFileBytesMax).contains(file.shape.sealedSize) else { continue }
            if !file.isOwn, notBefore[file.id] == nil {
                notBefore[file.id] = now + .microseconds(Int64.random(in: Self.otherDelay, using: &rng))
            }
            if found == nil, isDue(file.id, now) { found = .upload(file.id) }
        }
        return found
    }

    private func isDue(_ id: BlobID, _ now: Instant) -> Bool { notBefore[id].map { $0 <= now } ?? true }

    var isIdle: Bool { task == nil }

    func begin(_ work: Work, _ task: Task<Void, Never>) {
        self.work = work
        self.task = task
    }

    /// Records how a transfer ended.
    package func record(_ outcome: Outcome, of work: Work, now: Instant) {
        let id = work.file
        switch outcome {
        case .there, .came:
            there.insert(id)
            notBefore[id] = nil
        case .notThere: notBefore[id] = now + Self.missingPause
        case .failed: notBefore[id] = now + Self.failurePause
        case .refused: notBefore[id] = now + Self.refusedPause
        }
    }

    func ended(_ outcome: Outcome, now: Instant) {
        guard let work else { return }
        record(outcome, of: work, now: now)
        self.work = nil
        task = nil
    }

    /// Another server was set: it has other files.
    func forget() {
        there = []
        notBefore = [:]
    }

    func stop() { task?.cancel() }
}
