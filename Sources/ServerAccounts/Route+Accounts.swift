import ServerBase
import ServerRequests

extension Route {
    /// Every route of accounts, but the export as an archive.
    /// - Parameter holdings: every part of the server that stores data of accounts.
    /// - Parameter sweepFiles: removes the files of items that are no longer there.
    package static func accounts(
        _ parts: RequestParts, holdings: [any AccountHolding],
        sweepFiles: @escaping @Sendable () async throws(Failure) -> Void
    ) -> [Route] {
        AccountRoutes(parts: parts, holdings: holdings, sweepFiles: sweepFiles).routes
            + PasswordRoutes(parts: parts).routes + PhoneRoutes(parts: parts).routes
            + EmailRoutes(parts: parts).routes + ResetRoutes(parts: parts).routes
            + SessionRoutes(parts: parts).routes + SecondFactorRoutes(parts: parts).routes
            + KeySetRoute(parts: parts).routes
    }
}
