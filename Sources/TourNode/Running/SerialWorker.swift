import Dispatch
import NIOCore
import Synchronization

/// Runs jobs off the event loop, one after the other, and returns their results to the loop together.
final class SerialWorker: Sendable {
    typealias Completion = @Sendable () -> Void

    private let queue: DispatchQueue
    private let loop: any EventLoop
    private let finished = Mutex<[Completion]>([])

    init(label: String, loop: any EventLoop) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
        self.loop = loop
    }

    /// - Parameter work: runs on the worker; the closure that it returns runs on the loop, in the order of
    ///   submission.
    func submit(_ work: @escaping @Sendable () -> Completion) {
        queue.async {
            let completion = work()
            let isFirst = self.finished.withLock { list in
                list.append(completion)
                return list.count == 1
            }
            if isFirst { self.loop.execute { self.complete() } }
        }
    }

    private func complete() {
        let completions = finished.withLock { list in
            defer { list = [] }
            return list
        }
        for completion in completions { completion() }
    }
}
