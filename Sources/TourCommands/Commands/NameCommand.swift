import ArgumentParser
import TourWeb

/// `name`
struct NameCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "name",
        abstract: "Change your name.",
        discussion: """
            EXAMPLES
              tour-chat name "Anna B."
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The new name, as the others will see it.")
    var name: String

    func validate() throws { try NameRule.check(name) }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.PUT, LocalPath.make(["name"]), ["name": .text(name)])
        if output.json { return try output.object(answer) }
        try output.text("You are now \(output.foreign(answer.shown("name"), .bold)).")
    }
}
