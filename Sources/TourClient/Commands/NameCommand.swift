import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// `name`
struct NameCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "name",
        abstract: Phrase("Change your name."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat name "Anna B."
            """))

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("The new name, as the others will see it.")))
    var name: String

    func validate() throws { try NameRule.check(name) }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        guard let new: NodeName = try await output.forPeople(client.setName(name)) else { return }
        try output.text(Phrase("You are now \(output.foreign(new.name, .bold))."))
    }
}
