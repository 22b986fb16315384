import ArgumentParser

/// Options that every command takes, also in front of its name: `tour-chat --json tour list`.
package enum GlobalArguments {
    /// Groups of commands: one word more each.
    private static let withParts: Set = [
        "tour", "roll", "archive", "notes", "places", "itinerary", "notebook", "shared", "desktop", "hotspot",
        "seats", "account", "account totp", "account organisation",
    ]
    private static let withValue = ["--data-dir", "--tour", "--passphrase-file"]

    /// How help is asked for. The parser does not know `-h`: it would see that in each text that starts with a dash and
    /// has an h somewhere, and help people who wanted to send it.
    package static let helpNames = NameSpecification.long

    /// The same arguments with the leading options moved after the command's words, where the parser expects them, and
    /// with `--help` for `-h`.
    package static func normalized(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.count
        let arguments = arguments[..<end].map { $0 == "-h" ? "--help" : $0 } + arguments[end...]
        var rest = arguments[...]
        var leading = popOptions(from: &rest)
        guard !leading.isEmpty || rest.first.map(withParts.contains) == true else { return arguments }
        guard let command = rest.popFirst() else { return arguments }
        var words = [command]
        while withParts.contains(words.joined(separator: " ")) {
            leading += popOptions(from: &rest)
            guard let word = rest.first, !word.hasPrefix("-") else { break }
            words.append(word)
            rest = rest.dropFirst()
        }
        return words + leading + rest
    }

    /// Whether `--json` is among the options, so that usage errors are JSON too.
    package static func wantsJSON(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--json")
    }

    private static func popOptions(from rest: inout ArraySlice<String>) -> [String] {
        var taken = [String]()
        while let first = rest.first {
            if first == "--json" || withValue.contains(where: { first.hasPrefix($0 + "=") }) {
                taken.append(first)
                rest = rest.dropFirst()
            } else if withValue.contains(first), rest.count > 1 {
                taken += rest.prefix(2)
                rest = rest.dropFirst(2)
            } else {
                break
            }
        }
        return taken
    }
}
