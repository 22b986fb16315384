import ArgumentParser
import TourServer

/// `admin invitations`: a list.
struct InvitationsCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "invitations", abstract: "List the open invitations to tours, the newest first.",
        discussion: """
            EXAMPLES
              tour-server admin invitations --json
            """)

    @OptionGroup var options: AdminOptions
    @OptionGroup var rows: LimitOption

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let page = try await server.invitations(limit: rows.limit)
        let headings = ["NUMBER", "E-MAIL", "PHONE", "SINCE", "TOUR"]
        return AdminAnswer(page, headings, none: "Nobody is invited.") { invitation in
            [
                String(invitation.id), invitation.email ?? "-", invitation.phone ?? "-",
                AdminOutput.time(invitation.createdAt), invitation.tour,
            ]
        }
    }
}
