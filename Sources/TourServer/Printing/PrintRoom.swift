import Dispatch
import Synchronization
import TourPrint

/// Prints documents beside the event loops: one after the other, since each keeps a core busy, and few that wait.
final class PrintRoom: Sendable {
    private let queue = DispatchQueue(label: "tour-server.print")
    private let waiting = Mutex(0)

    /// - Returns: the file's bytes.
    /// - Throws: `tooLarge` for what is longer than anybody prints; `unavailable` where this computer cannot, or too
    ///   many wait.
    func pdf(_ document: PrintDocument) async throws(Failure) -> [UInt8] {
        let isFree = waiting.withLock { count in
            guard count < ServerLimits.printsWaitingMax else { return false }
            count += 1
            return true
        }
        guard isFree else {
            throw Failure(.unavailable, retryAfter: ServerLimits.printsRetry, cause: "too many documents wait")
        }
        defer { waiting.withLock { $0 -= 1 } }
        let outcome = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Self.outcome(of: document)) }
        }
        do {
            return try outcome.get()
        } catch {
            switch error {
            case .tooLong: throw Failure(.tooLarge)
            case .unavailable: throw Failure(.unavailable, cause: "Pango, Cairo or a font is missing here")
            case .failed(let reason): throw Failure(.internalError, cause: "a document was not printed: \(reason)")
            }
        }
    }

    private static func outcome(of document: PrintDocument) -> Result<[UInt8], PrintError> {
        do throws(PrintError) { return .success(try PDFPrinter.pdf(document)) } catch { return .failure(error) }
    }
}

extension RateLimit {
    /// Documents printed for one address: each may keep a core busy for seconds.
    static let printsPerAddress = RateLimit("prints-address", burst: 60, every: .seconds(2))
}
