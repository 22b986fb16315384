import TourWords

/// Where a command works, and for whom it prints: what every command takes.
struct CommandSetting: Sendable {
    /// As given; nil: what the environment says.
    var dataDirectory: String?
    var passphraseFile: String?
    var json: Bool

    /// - Throws: when nothing says where the data is.
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
