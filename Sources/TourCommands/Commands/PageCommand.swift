import ArgumentParser
import TourAPI
import TourClient
import TourDesktop
import TourJSON
import TourModel
import TourNode
import TourPresentation
import TourWords

/// `page`
struct PageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: Phrase("Open the page of the node in a browser."),
        discussion: Phrase(
            """
            With a tour-chat:// link the page asks whether to join with it; nothing is joined before you say yes. \
            Without a desktop it prints the page's address: whoever has that address is you, so keep it to yourself. \
            --start starts a node where none runs, which goes on until you log out; the program menu does so.

            EXAMPLES
              tour-chat page
              tour-chat page --start
              tour-chat page 'tour-chat://join/ABCDEFGH…'
            """))

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("A link that lets you join a tour.").text, valueName: "link"))
    var link: String?
    @Flag(help: ArgumentHelp(Phrase("Start the node where none runs.")))
    var start = false

    func run() async throws {
        let output = global.output
        do {
            let route = try route
            if start { try await NodeStart.ensure(global) }
            try await global.access().use(absence: .refuse) { client in
                try await open(route, client, output)
            }
        } catch {
            if !output.json, !StandardStream.error.isTerminal, Desktop.isThere { Self.notify(of: error) }
            throw error
        }
    }

    private func open(_ route: String, _ client: LocalClient, _ output: Output) async throws {
        guard let address = try await (client.ask(.GET, LocalPath.make(["page"])) as PageReport).address else {
            throw PageFault.noPage
        }
        let isShown = Desktop.isThere ? try await show(route, client) : false
        if output.json {
            let place = route.isEmpty ? address : address + route
            return try output.object(["address": .text(place), "opened": .flag(isShown)])
        }
        try StandardStream.output.line(isShown ? Phrase("The page opens in your browser.").text : address + route)
    }

    /// Opens the page. Other users of the machine can read a program's arguments, so the address works only once.
    private func show(_ route: String, _ client: LocalClient) async throws -> Bool {
        let path = LocalPath.make(["page", "ticket"])
        let entry: PageEntry = try await client.ask(.POST, path, ["route": .text(route)])
        return try await Desktop.show(entry.address)
    }

    /// The page's first view. A link may come from anywhere: it is checked here, and again when the user joins with
    /// it.
    private var route: String {
        get throws(PageFault) {
            guard let link, !link.isEmpty else { return "" }
            guard TourNode.isJoinLink(link) else { throw .badLink }
            return PageRoute.join(link)
        }
    }

    /// A desktop that started this shows nobody its output.
    private static func notify(of error: any Error) {
        let reason =
            (error as? CommandFailure)?.code == CommandFailure.noNode.code
            ? Phrase("No node is running. 'tour-chat run' in a terminal starts it.")
            : (error as? any Fault)?.words(on: TerminalSurface()) ?? Phrase(verbatim: "\(error)")
        let notice = Notice(
            tour: "", summary: Phrase("Tour Chat cannot be opened").text,
            body: reason.text, urgency: .normal, sound: nil, route: "")
        // Without a notification server there is no way to tell the user.
        _ = try? NotificationServer(openWord: Phrase("Open").text).show(notice)
    }
}

/// Why the page is not opened.
enum PageFault: SpokenFault, Hashable {
    /// The node runs without a page.
    case noPage
    /// The link is none that a guide gave.
    case badLink

    var scope: FaultScope { .record }

    var code: String {
        switch self {
        case .noPage: "no-page"
        case .badLink: "bad-link"
        }
    }

    func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .noPage: Phrase("The node runs without a page: start it without '--web off'.")
        case .badLink:
            Phrase("This is no whole tour-chat://join/ link. Copy it again, or scan the code that your guide shows.")
        }
    }
}
