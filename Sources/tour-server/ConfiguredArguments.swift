import ArgumentParser
import Foundation
import Glibc
import ServerBase
import Synchronization

/// A command line with what its settings file says put in front of its own options.
struct ConfiguredArguments {
    /// With the file's settings.
    let arguments: [String]
    /// nil: the command line names none.
    let file: SettingsFile?
    /// The variables of the environment that the file has set.
    static let variables = Mutex<Set<String>>([])
    /// The options that the command line has itself.
    private let given: Set<String>

    /// Reads the file that `--config` names, and puts its secrets into the environment.
    /// - Parameter words: without the program's name.
    /// - Throws: `SettingsFileError`.
    init(_ words: [String]) throws {
        let own = words.prefix { $0 != "--" }
        given = Set(own.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2).prefix { $0 != "=" }) })
        guard let path = Self.value(of: "--config", in: own) else {
            (arguments, file) = (words, nil)
            return
        }
        let options = try OfferedOptions(of: ServeCommand.self)
        let file = try SettingsFile(path: path, options: options.kinds)
        for (name, value) in file.environment { setenv(name, value, 1) }
        Self.variables.withLock { $0 = Set(file.environment.map(\.name)) }
        let names =
            switch words.first {
            case "serve": Set(options.kinds.keys)
            case "mail": Set(try OfferedOptions(of: MailTestCommand.self).kinds.keys)
            case "sms": Set(try OfferedOptions(of: SMSTestCommand.self).kinds.keys)
            default: Self.place
            }
        let end = Self.commandEnd(words)
        arguments = Array(words[..<end]) + file.arguments(for: names, given: given) + Array(words[end...])
        self.file = file
    }

    /// Says where the file sets what an error of the command line is about.
    func tellPlaces(of message: String) {
        guard let file else { return }
        let places = file.places(namedIn: message, given: given)
        guard !places.isEmpty else { return }
        printLine("tour-server: \(file.path) sets \(places.joined(separator: ", ")).", to: STDERR_FILENO)
    }

    /// What every command that works on the server's data takes of the file.
    private static let place: Set<String> = [
        "data-dir", "database", "database-password-file", "blobs", "blobs-endpoint", "blobs-region",
        "blobs-credentials",
    ]

    private static func value(of option: String, in words: ArraySlice<String>) -> String? {
        var found: String?
        for (index, word) in zip(words.indices, words) {
            if word == option, index + 1 < words.endIndex { found = words[index + 1] }
            if word.hasPrefix(option + "=") { found = String(word.dropFirst(option.count + 1)) }
        }
        return found
    }

    /// Behind the words that name the command.
    private static func commandEnd(_ words: [String]) -> Int {
        var command: any ParsableCommand.Type = TourServerProgram.self
        var end = 0
        while end < words.count,
            let next = command.configuration.subcommands.first(where: { $0._commandName == words[end] })
        {
            (command, end) = (next, end + 1)
        }
        return end
    }
}

/// The options of a command, by its own description: no second list could miss one.
private struct OfferedOptions {
    private struct Description: Decodable {
        struct Command: Decodable { var arguments: [Argument]? }
        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }
            var kind: String
            var isRepeating: Bool
            var names: [Name]?
        }
        var command: Command
    }

    /// By the long name without `--`.
    let kinds: [String: SettingsFile.Kind]

    init(of command: any ParsableCommand.Type) throws {
        let text = Data(command._dumpHelp().utf8)
        let described = try JSONDecoder().decode(Description.self, from: text).command.arguments ?? []
        var kinds: [String: SettingsFile.Kind] = [:]
        for argument in described {
            guard let name = argument.names?.first(where: { $0.kind == "long" })?.name,
                !["config", "help", "version"].contains(name)
            else { continue }
            kinds[name] = argument.kind == "flag" ? .flag : argument.isRepeating ? .options : .option
        }
        self.kinds = kinds
    }
}
