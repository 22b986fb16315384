/// The words after a command's name in the simple cases: known options, each once and with its value as the next
/// word, flags, and texts.
struct PlainWords {
    let texts: [String]
    private let values: [(option: String, value: String)]
    private let flags: [String]

    private static let globalOptions = ["--data-dir", "--passphrase-file"]
    private static let globalFlags = ["--json"]

    /// - Parameters:
    ///   - options: the command's own, with their dashes; each takes a value.
    ///   - flags: likewise, without a value.
    /// - Returns: nil when the parser must look at the words.
    init?(_ words: ArraySlice<String>, options: [String] = [], flags: [String] = []) {
        var texts: [String] = []
        var values: [(option: String, value: String)] = []
        var seen: [String] = []
        var rest = words
        while let word = rest.popFirst() {
            if Self.isText(word) || word == "-" {
                texts.append(word)
            } else if seen.contains(word) {
                return nil
            } else if flags.contains(word) || Self.globalFlags.contains(word) {
                seen.append(word)
            } else if options.contains(word) || Self.globalOptions.contains(word) {
                guard let value = rest.popFirst(), Self.isText(value) else { return nil }
                seen.append(word)
                values.append((word, value))
            } else {
                return nil
            }
        }
        self.texts = texts
        self.values = values
        self.flags = seen
    }

    func value(of option: String) -> String? { values.first { $0.option == option }?.value }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    var setting: CommandSetting {
        CommandSetting(
            dataDirectory: value(of: "--data-dir"), passphraseFile: value(of: "--passphrase-file"), json: has("--json"))
    }

    private static func isText(_ word: String) -> Bool { !word.isEmpty && word.utf8.first != UInt8(ascii: "-") }
}
