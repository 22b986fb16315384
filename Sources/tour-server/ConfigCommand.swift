import ArgumentParser
import ServerBase

/// `config`: the settings file.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "The settings file.", subcommands: [ConfigCheckCommand.self])
}

/// `config check`: what 'serve' would say of a file, without serving.
struct ConfigCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Look whether 'serve' takes a settings file, and start nothing.",
        discussion: """
            EXAMPLES
              tour-server config check /etc/tour-server.toml
            """)

    @Argument(help: ArgumentHelp("The settings file.", valueName: "file"), completion: .file())
    var file: String

    func run() async throws {
        let configured = try ConfiguredArguments(["serve", "--config", file])
        do {
            let command = try ServeCommand.parse(Array(configured.arguments.dropFirst()))
            try command.check()
        } catch {
            configured.tellPlaces(of: ServeCommand.message(for: error))
            throw error
        }
        printLine("\(file) is good; settings: \(configured.file?.count ?? 0).")
    }
}
