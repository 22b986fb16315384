import CProcess
import Glibc
import Synchronization

/// The one thread of a command: its tasks run here, and wait here for files, pipes, terminals and sockets.
///
/// Starting a pool of threads and an event loop takes longer than most commands wait for their answer.
package final class CommandLoop: TaskExecutor {
    /// The loop of the main thread.
    package static let main = CommandLoop()

    private struct Wait: Sendable {
        let number: Int
        let descriptor: Int32
        let events: Int16
        /// False: the wait was cancelled. The code that removes a wait from the list resumes it, so that happens
        /// once. (For the type of a checked continuation the runtime searches all conformances of the program, at
        /// each start.)
        let continuation: UnsafeContinuation<Bool, Never>
    }

    private struct State {
        var jobs: [UnownedJob] = []
        /// Few: a command has an input and a connection or two.
        var waits: [Wait] = []
        var lastNumber = 0
        /// Whether the thread is in `poll`, or about to be.
        var isPolling = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    /// Readable when another thread has added work; -1 when the system could not provide it.
    private let bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    /// How often to check for work of other threads, without a bell.
    private static let lookMilliseconds: Int32 = 50

    package init() {}

    deinit { if bell >= 0 { close(bell) } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        change { $0.jobs.append(job) }
    }

    /// Runs the work and everything that it starts on this thread, and returns when the work is done.
    package func run(_ work: @escaping @Sendable () async -> Void) {
        Task(executorPreference: self) {
            await work()
            self.change { $0.hasEnded = true }
        }
        while let jobs = nextJobs() {
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Waits until one of the events (as of `poll`) occurs; hang-ups and errors always count.
    /// - Throws: `CancellationError` at once when the task is cancelled, also while it waits.
    package func wait(for events: Int32, on descriptor: Int32) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let hasCome = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let wait = Wait(
                    number: number, descriptor: descriptor, events: Int16(events), continuation: continuation)
                change { $0.waits.append(wait) }
                // The task may have been cancelled before the wait was registered.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
        if !hasCome { throw CancellationError() }
    }

    private func cancel(_ number: Int) {
        let wait = change { state -> Wait? in
            guard let index = state.waits.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waits.remove(at: index)
        }
        wait?.continuation.resume(returning: false)
    }

    /// Changes the state; wakes the thread if it polls.
    @discardableResult
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        var isPolling = false
        let result = state.withLock { state in
            isPolling = state.isPolling
            return body(&state)
        }
        if isPolling {
            var one: UInt64 = 1
            _ = write(bell, &one, MemoryLayout<UInt64>.size)
        }
        return result
    }

    /// The jobs that are due, waiting for some; nil when the work has ended.
    private func nextJobs() -> [UnownedJob]? {
        while true {
            var watched: [pollfd] = []
            var jobs: [UnownedJob] = []
            let hasEnded = state.withLock { state in
                swap(&jobs, &state.jobs)
                state.isPolling = jobs.isEmpty && !state.hasEnded
                watched = state.waits.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
                return state.hasEnded
            }
            if !jobs.isEmpty { return jobs }
            if hasEnded { return nil }
            poll(&watched)
        }
    }

    private func poll(_ watched: inout [pollfd]) {
        watched.append(pollfd(fd: bell, events: Int16(POLLIN), revents: 0))
        let count = Glibc.poll(&watched, nfds_t(watched.count), bell < 0 ? Self.lookMilliseconds : -1)
        if count > 0, watched[watched.count - 1].revents != 0 {
            var rings: UInt64 = 0
            _ = read(bell, &rings, MemoryLayout<UInt64>.size)
        }
        var due: [Wait] = []
        state.withLock { state in
            state.isPolling = false
            guard count > 0 else { return }
            for entry in watched where entry.revents != 0 {
                while let index = state.waits.firstIndex(where: {
                    $0.descriptor == entry.fd && ($0.events & entry.events) != 0
                }) {
                    due.append(state.waits.remove(at: index))
                }
            }
        }
        for wait in due { wait.continuation.resume(returning: true) }
    }
}
