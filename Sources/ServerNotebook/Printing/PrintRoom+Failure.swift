import ServerBase
import ServerRequests
import TourPrint

extension PrintQueue {
    /// - Returns: the file's bytes.
    /// - Throws: `tooLarge` for a document beyond the printing limits; `unavailable` when this computer cannot print,
    ///   or too many documents wait; `internal` when printing fails.
    func file(of document: PrintDocument, for call: Call) async throws(Failure) -> [UInt8] {
        do throws(Refusal) { return try await pdf(document, for: call.callerName) } catch {
            switch error {
            case .unprinted(.tooLong): throw Failure(.tooLarge)
            case .busy:
                throw Failure(.unavailable, retryAfter: ServerLimits.printsRetry, cause: "too many documents wait")
            case .unprinted(.unavailable): throw Failure(.unavailable, cause: "Pango, Cairo or a font is missing here")
            case .unprinted(.failed(let reason)):
                throw Failure(.internalError, cause: "a document was not printed: \(reason)")
            }
        }
    }
}
