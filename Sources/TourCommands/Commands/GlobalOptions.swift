import ArgumentParser
import TourWords

/// The options of every command.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp(
            Phrase("Where this node keeps everything (TOUR_CHAT_DATA_DIR; default: $XDG_DATA_HOME/tour-chat)."),
            valueName: "dir"),
        completion: .directory)
    var dataDirectory: String?

    @Flag(help: ArgumentHelp(Phrase("Print one JSON object a line, errors too.")))
    var json = false

    @Option(
        help: ArgumentHelp(
            Phrase("A file with the passphrase of a sealed data directory (TOUR_CHAT_PASSPHRASE_FILE)."),
            valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    var setting: CommandSetting {
        CommandSetting(dataDirectory: dataDirectory, passphraseFile: passphraseFile, json: json)
    }

    /// - Throws: when neither an option nor the environment names the data directory.
    func access() throws(CommandFailure) -> NodeAccess { try setting.access() }

    var output: Output { setting.output }
}
