import ServerRequests
import ServerStorage

extension Route {
    /// Every route of tours, with their mailboxes, files and archives, and of organisations.
    /// - Parameter organisationsFrom: the lowest role whose accounts may make organisations; nil: the operator alone
    ///   makes them.
    package static func tours(
        _ parts: RequestParts, rosters: TourRosters, news: TourNews, blobs: BlobStore, organisationsFrom: AccountRole?
    ) -> [Route] {
        MemberRoutes(parts: parts, rosters: rosters).routes
            + OrganisationRoutes(parts: parts, makersFrom: organisationsFrom).routes
            + OrganisationInvitationRoutes(parts: parts).routes
            + OrganisationTourRoutes(parts: parts, rosters: rosters).routes
            + GroupRoutes(parts: parts, rosters: rosters).routes
            + InvitationRoutes(parts: parts, rosters: rosters).routes
            + ArchiveRoutes(parts: parts, rosters: rosters).routes
            + BlobRoutes(parts: parts, rosters: rosters, blobs: blobs).routes
            + PushRoutes(parts: parts, rosters: rosters).routes + PullRoutes(parts: parts, rosters: rosters).routes
            + LiveRoute(parts: parts, rosters: rosters, news: news).routes
    }
}
