import NIOCore

/// Runs tasks on an event loop: a request's handler, its connection and the node that it calls stay on one thread,
/// and passing a message between them wakes no other thread.
///
/// Work that reads much or blocks must leave it: `withTaskExecutorPreference(globalConcurrentExecutor)`.
package final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    package init(_ loop: any EventLoop) { self.loop = loop }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
