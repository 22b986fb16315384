import Dispatch
import NIOCore
import Synchronization
import TourModel
import TourStore

/// The one writer of events: all waiting jobs go into one commit, so that the disk's speed sets the batch size. A
/// single job is committed on the event loop itself, as long as that is quick.
final class StoreWriter: Sendable {
    struct Job: Sendable {
        var tour: TourID
        var events: [(event: Event, hops: Int)]
        /// Must be on the disk before `done` is called: our own events.
        var isDurable: Bool
        /// Ahead of their authors' logs: written before all other waiting jobs.
        var isAhead = false
        /// Called on the event loop.
        var done: @Sendable (Result<[ArrivedEvent], StoreError>) -> Void
    }

    /// Events in one commit: bounds how many one failure can affect, and how long a commit lasts.
    private static let commitEventsMax = 2_000

    private let store: TourStore
    private let loop: any EventLoop
    private let queue = DispatchQueue(label: "tour-chat.store", qos: .userInitiated)
    private let waiting = Mutex<[Job]>([])
    private let onLoop: NIOLoopBoundBox<LoopCommits>
    private let flood: NIOLoopBoundBox<FloodWatch>

    init(store: TourStore, loop: any EventLoop) {
        self.store = store
        self.loop = loop
        onLoop = .makeBoxSendingValue(LoopCommits(), eventLoop: loop)
        flood = .makeBoxSendingValue(FloodWatch(), eventLoop: loop)
    }

    /// Call on the event loop. `done` may be called before this returns.
    func submit(_ job: Job) {
        flood.value.record(job.events.count, now: NodeClock.now)
        let isTaken = onLoop.value.accepts(job.events.count, isDurable: job.isDurable, now: NodeClock.now)
        if isTaken, !store.isWriting { return commitOnLoop(job) }
        onLoop.value.away += 1
        let isFirst = waiting.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        if isFirst { queue.async { self.drain() } }
    }

    /// Calls back on the event loop once every job submitted before has been answered.
    func finish(_ done: @escaping @Sendable () -> Void) {
        queue.async { self.loop.execute(done) }
    }

    /// Call on the event loop, once a second.
    func tick(now: Instant) {
        if onLoop.value.consumeLogRoomDue() { queue.async { [store] in store.makeLogRoom() } }
        if flood.value.hasEnded(now: now) { queue.async { [store] in store.releaseMemory() } }
    }

    private func commitOnLoop(_ job: Job) {
        let start = NodeClock.now
        let result = append(job)
        let end = NodeClock.now
        onLoop.value.recordCommit(took: end - start, isDurable: job.isDurable, now: end)
        if onLoop.value.isCheckpointDue {
            onLoop.value.recordCheckpoint()
            queue.async { [store] in try? store.checkpoint(.beside) }
        }
        job.done(result)
    }

    private func append(_ job: Job) -> Result<[ArrivedEvent], StoreError> {
        Result { () throws(StoreError) in
            try job.isAhead
                ? store.append(ahead: job.events, tour: job.tour)
                : store.append(job.events, tour: job.tour, durable: job.isDurable)
        }
    }

    private func drain() {
        let jobs = waiting.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in jobs where job.isAhead { complete([(job, append(job))]) }
        var batch = [Job]()
        var count = 0
        for job in jobs where !job.isAhead {
            if let first = batch.first, first.tour != job.tour || count + job.events.count > Self.commitEventsMax {
                commit(batch)
                batch = []
                count = 0
            }
            batch.append(job)
            count += job.events.count
        }
        commit(batch)
    }

    private func commit(_ jobs: [Job]) {
        guard let tour = jobs.first?.tour else { return }
        let isDurable = jobs.contains(where: \.isDurable)
        let begun = NodeClock.now
        do {
            let stored = try store.append(jobs.flatMap(\.events), tour: tour, durable: isDurable)
            var start = 0
            let results = jobs.map { job in
                defer { start += job.events.count }
                return (job, Array(stored[start..<start + job.events.count]))
            }
            let disk = isDurable ? NodeClock.now - begun : nil
            complete(results.map { job, events in (job, .success(events)) }, disk: disk)
        } catch  where jobs.count > 1 {
            // The fault of one job must not fail the others.
            for job in jobs { commit([job]) }
        } catch {
            complete(jobs.map { ($0, .failure(error)) })
        }
    }

    /// - Parameter disk: how long the commit waited for the disk.
    private func complete(_ results: [(Job, Result<[ArrivedEvent], StoreError>)], disk: Duration? = nil) {
        loop.execute { [onLoop] in
            if let disk { onLoop.value.recordDisk(took: disk) }
            for (job, result) in results {
                onLoop.value.away -= 1
                job.done(result)
            }
        }
    }
}
