import HTTPTypes
import Logging
import ServerRequests

extension Answer {
    /// An export that is written while it is sent; one that breaks off is logged.
    /// - Parameter place: the caller's place among the heavy requests, which it keeps until the body is sent.
    package static func export(
        of account: AuthenticatedAccount, _ parts: RequestParts, _ call: Call, place: CallerPlaces.Place,
        headers: HTTPFields = [:],
        _ write: @escaping @Sendable (ExportSource, inout PieceWriter) async throws -> Void
    ) -> Answer {
        let source = ExportSource(
            account: account.id, storage: parts.storage, heavy: parts.heavy, opened: (account, parts.now))
        let (logger, id) = (parts.logger, call.id)
        return Answer(
            .ok,
            content: .pieces { out in
                defer { withExtendedLifetime(place) {} }
                do {
                    try await write(source, &out)
                } catch {
                    logger.error("an export ended in the middle", metadata: ["request": "\(id)", "cause": "\(error)"])
                    throw error
                }
            }, headers: headers)
    }
}
