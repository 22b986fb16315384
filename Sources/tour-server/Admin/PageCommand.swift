import ArgumentParser
import Foundation
import ServerBase
import TourServer

/// `admin page`: the way to the operator's page in a browser.
struct PageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page", abstract: "The operator's page of a running server: a link to it, and its end.",
        subcommands: [PageLinkCommand.self, PageCloseCommand.self], defaultSubcommand: PageLinkCommand.self)
}

struct PageLinkCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Print a link that opens the page once.",
        discussion: """
            The server runs with --admin-listen. The link is good for \(ServerLimits.pageLinkLifetime / 60) minutes; \
            the page then stays open for \(ServerLimits.pageSessionLifetime / 3_600) hours in that browser. Who has \
            the link is the operator: give it to nobody.

            EXAMPLES
              tour-server admin page --data-dir /var/lib/tour-server
              ssh -L 9465:127.0.0.1:9465 server.example    # then open the link on your own machine
            """)

    @OptionGroup var options: AdminOptions

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let link = try await server.pageLink(for: SystemUser.name)
        return AdminAnswer(link, link.url)
    }
}

struct PageCloseCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "End all links to the page, and close it in every browser.",
        discussion: """
            EXAMPLES
              tour-server admin page close --data-dir /var/lib/tour-server
            """)

    @OptionGroup var options: AdminOptions

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let ended = try await server.closePage()
        return AdminAnswer(["ended": ended], "Links and open pages that ended: \(ended).")
    }
}
