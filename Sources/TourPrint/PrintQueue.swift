import Dispatch
import Synchronization

/// Prints documents off the event loops: one after the other, since each keeps a core busy, with a short queue. Callers
/// take turns, so that many documents of one do not delay the single one of another.
package final class PrintQueue: Sendable {
    /// Why a document was not printed.
    package enum Refusal: Error, Hashable, Sendable {
        /// Too many documents wait; try again later.
        case busy
        case unprinted(PrintError)
    }

    private struct Job: Sendable {
        let document: PrintDocument
        let continuation: CheckedContinuation<Result<[UInt8], PrintError>, Never>
    }

    private struct State {
        /// Documents that are printed or wait.
        var count = 0
        var isPrinting = false
        /// Of these, of each caller.
        var ofCaller: [String: Int] = [:]
        var waiting = TurnQueue<Job>()
    }

    private let queue: DispatchQueue
    private let state = Mutex(State())
    private let waitingMax: Int
    private let perCallerMax: Int

    /// - Parameter waitingMax: documents at a time, including the one being printed.
    /// - Parameter perCallerMax: documents of one caller among these; nil: all of them.
    package init(label: String, waitingMax: Int, perCallerMax: Int? = nil) {
        self.perCallerMax = perCallerMax ?? waitingMax
        queue = DispatchQueue(label: label)
        self.waitingMax = waitingMax
    }

    /// Documents that are printed or wait.
    package var count: Int { state.withLock { $0.count } }

    /// - Parameter caller: who wants it, by any name.
    /// - Returns: the file's bytes.
    package func pdf(_ document: PrintDocument, for caller: String) async throws(Refusal) -> [UInt8] {
        let isFree = state.withLock { state in
            guard state.count < waitingMax, state.ofCaller[caller, default: 0] < perCallerMax else { return false }
            state.count += 1
            state.ofCaller[caller, default: 0] += 1
            return true
        }
        guard isFree else { throw .busy }
        defer {
            state.withLock { state in
                state.count -= 1
                let left = state.ofCaller[caller, default: 1] - 1
                state.ofCaller[caller] = left > 0 ? left : nil
            }
        }
        let outcome = await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.waiting.append(Job(document: document, continuation: continuation), of: caller)
                defer { state.isPrinting = true }
                return !state.isPrinting
            }
            if isIdle { queue.async { self.printAll() } }
        }
        do { return try outcome.get() } catch { throw .unprinted(error) }
    }

    private func printAll() {
        while let job = dequeue() { job.continuation.resume(returning: Self.outcome(of: job.document)) }
    }

    private func dequeue() -> Job? {
        state.withLock { state in
            let job = state.waiting.next()
            state.isPrinting = job != nil
            return job
        }
    }

    private static func outcome(of document: PrintDocument) -> Result<[UInt8], PrintError> {
        do throws(PrintError) { return .success(try PDFPrinter.pdf(document)) } catch { return .failure(error) }
    }
}
