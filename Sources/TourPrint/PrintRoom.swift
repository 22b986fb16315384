import Dispatch
import Synchronization

/// Prints documents off the event loops: one after the other, since each keeps a core busy, with a short queue.
package final class PrintRoom: Sendable {
    /// Why a document was not printed.
    package enum Refusal: Error, Hashable, Sendable {
        /// Too many documents wait; try again later.
        case busy
        case unprinted(PrintError)
    }

    private let queue: DispatchQueue
    private let waiting = Mutex(0)
    private let waitingMax: Int

    /// - Parameter waitingMax: documents at a time, including the one being printed.
    package init(label: String, waitingMax: Int) {
        queue = DispatchQueue(label: label)
        self.waitingMax = waitingMax
    }

    /// - Returns: the file's bytes.
    package func pdf(_ document: PrintDocument) async throws(Refusal) -> [UInt8] {
        let isFree = waiting.withLock { count in
            guard count < waitingMax else { return false }
            count += 1
            return true
        }
        guard isFree else { throw .busy }
        defer { waiting.withLock { $0 -= 1 } }
        let outcome = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Self.outcome(of: document)) }
        }
        do { return try outcome.get() } catch { throw .unprinted(error) }
    }

    private static func outcome(of document: PrintDocument) -> Result<[UInt8], PrintError> {
        do throws(PrintError) { return .success(try PDFPrinter.pdf(document)) } catch { return .failure(error) }
    }
}
