import ArgumentParser
import TourWords

/// What every command takes.
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

    /// - Throws: when nothing says where the data is.
    func access() throws(CommandFailure) -> NodeAccess { try setting.access() }

    var output: Output { setting.output }
}
