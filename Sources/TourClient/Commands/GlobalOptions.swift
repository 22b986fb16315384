import ArgumentParser
import TourJSON
import TourWords

/// The options of every command.
package struct GlobalOptions: ParsableArguments {
    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp(
            Phrase("Where this node keeps everything (TOUR_CHAT_DATA_DIR; default: $XDG_DATA_HOME/tour-chat)."),
            valueName: "dir"),
        completion: .directory)
    var dataDirectory: String?

    @Flag(help: ArgumentHelp(Phrase("Print one JSON object a line, errors too.")))
    package var json = false

    @Option(
        help: ArgumentHelp(
            Phrase("A file with the passphrase of a sealed data directory (TOUR_CHAT_PASSPHRASE_FILE)."),
            valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    package init() {}

    /// - Throws: when neither an option nor the environment names the data directory.
    package func access() throws(CommandFailure) -> NodeAccess {
        guard let directory = DataDirectory.resolve(option: dataDirectory, environment: environmentValue) else {
            throw CommandFailure(
                code: "no-data-directory", message: Phrase("HOME is not set: say where the data is with --data-dir"))
        }
        let file = passphraseFile ?? environmentValue("TOUR_CHAT_PASSPHRASE_FILE").flatMap { $0.isEmpty ? nil : $0 }
        return NodeAccess(dataDirectory: directory, passphraseFile: file)
    }

    /// The output that the options ask for.
    package var output: Output { Output(json: json) }
}
