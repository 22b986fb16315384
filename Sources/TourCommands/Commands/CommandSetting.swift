import TourWords

/// Which node a command uses, and whether it prints for people or programs: the options of every command.
struct CommandSetting: Sendable {
    /// As given; nil: from the environment.
    var dataDirectory: String?
    var passphraseFile: String?
    var json: Bool

    /// - Throws: when neither an option nor the environment names the data directory.
    func access() throws(CommandFailure) -> NodeAccess {
        guard let directory = DataDirectory.resolve(option: dataDirectory, environment: environmentValue) else {
            throw CommandFailure(
                code: "no-data-directory", message: Phrase("HOME is not set: say where the data is with --data-dir"))
        }
        let file = passphraseFile ?? environmentValue("TOUR_CHAT_PASSPHRASE_FILE").flatMap { $0.isEmpty ? nil : $0 }
        return NodeAccess(dataDirectory: directory, passphraseFile: file)
    }

    var output: Output { Output(json: json) }
}
