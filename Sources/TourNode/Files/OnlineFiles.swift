import TourModel

/// How the files of a tour stand with its server: one at a time goes there, or comes from there.
/// Source: `Protocol/09-mailbox.md`, "Files".
package struct OnlineFiles {
    /// What is known of a file.
    package struct Candidate: Hashable, Sendable {
        package var id: BlobID
        package var shape: BlobShape
        package var isOwn: Bool
        package var isComplete: Bool
        /// It is wanted, open and nobody here offers anything of it, since then.
        package var waitingSince: Instant?

        package init(id: BlobID, shape: BlobShape, isOwn: Bool, isComplete: Bool, waitingSince: Instant?) {
            self.id = id
            self.shape = shape
            self.isOwn = isOwn
            self.isComplete = isComplete
            self.waitingSince = waitingSince
        }
    }

    package enum Work: Hashable, Sendable {
        case upload(BlobID)
        case download(BlobID)
    }

    /// How one ended.
    package enum Outcome: Sendable {
        /// The server has all of it.
        case there
        /// It came from there.
        case came
        /// The server has not all of it.
        case notThere
        /// The server does not take it, or gave what it is not.
        case refused
        /// The network or the server failed.
        case failed
    }

    private(set) var work: Work?
    private var task: Task<Void, Never>?
    /// Those that the server has.
    package private(set) var there: Set<BlobID> = []
    /// Nothing is done for a file before this.
    private var notBefore: [BlobID: Instant] = [:]

    /// Others have so long to give a file before the server is asked.
    private static let patience: Duration = .seconds(5)
    /// Who is not the author gives the author so long to send it, and of several members one is the first.
    private static let otherDelay: ClosedRange<Int64> = 20_000_000...120_000_000
    private static let missingPause: Duration = .seconds(30)
    private static let failurePause: Duration = .seconds(60)
    private static let refusedPause: Duration = .seconds(3_600)

    package init() {}

    /// What to do next, if anything: what is wanted here comes before what others may want.
    package mutating func next(
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

    mutating func begin(_ work: Work, _ task: Task<Void, Never>) {
        self.work = work
        self.task = task
    }

    package mutating func note(_ outcome: Outcome, of work: Work, now: Instant) {
        let id =
            switch work {
            case .upload(let id), .download(let id): id
            }
        switch outcome {
        case .there, .came:
            there.insert(id)
            notBefore[id] = nil
        case .notThere: notBefore[id] = now + Self.missingPause
        case .failed: notBefore[id] = now + Self.failurePause
        case .refused: notBefore[id] = now + Self.refusedPause
        }
    }

    mutating func ended(_ outcome: Outcome, now: Instant) {
        guard let work else { return }
        note(outcome, of: work, now: now)
        self.work = nil
        task = nil
    }

    /// Another server has other files.
    mutating func forget() {
        there = []
        notBefore = [:]
    }

    func stop() { task?.cancel() }
}
