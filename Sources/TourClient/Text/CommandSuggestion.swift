import TourWords

/// Suggests a command for a word that is none.
package enum CommandSuggestion {
    /// The same arguments, with `help` moved from after a group's word to the front: `tour help` means `help tour`.
    package static func normalized(_ arguments: [String], commands: [String]) -> [String] {
        guard arguments.count >= 2, arguments[1] == "help", arguments[0] != "help",
            commands.contains(where: { $0.hasPrefix(arguments[0] + " ") })
        else { return arguments }
        return ["help", arguments[0]] + arguments.dropFirst(2)
    }

    /// What is wrong with the leading words, which should name a command; nil when they do.
    /// - Parameter commands: the words of each command: `send`, `tour`, `tour create`.
    package static func complaint(about arguments: [String], commands: [String]) -> Phrase? {
        // The words of a command follow `help` too.
        if arguments.first == "help" {
            return complaint(about: Array(arguments.dropFirst()), commands: commands.filter { $0 != "help" })
        }
        var path = ""
        for word in arguments {
            let here = commands.filter { $0.hasPrefix(path) }
            guard !here.isEmpty, !word.hasPrefix("-") else { return nil }
            guard here.contains(path + word) else {
                let typed = path + TerminalText.safe(word)
                guard let meant = suggestion(for: word, below: path, commands) else {
                    return Phrase("There is no command '\(typed)'.")
                }
                return Phrase("There is no command '\(typed)'. Did you mean '\(meant)'?")

            }
            path += word + " "
        }
        return nil
    }

    /// The command with the nearest last word, preferring one in the same group.
    private static func suggestion(for word: String, below path: String, _ commands: [String]) -> String? {
        guard word.count <= lettersMax else { return nil }
        let typed = Array(word.lowercased())
        let typingErrorsMax = max(1, typed.count / 3)
        let near = commands.map { command -> (command: String, errors: Int, isElsewhere: Bool) in
            let last = command.split(separator: " ").last ?? ""
            let isElsewhere = command.dropLast(last.count) != path
            return (command, distance(typed, Array(last)), isElsewhere)
        }
        return near.filter { $0.errors <= typingErrorsMax }
            .min { ($0.errors, $0.isElsewhere ? 1 : 0) < ($1.errors, $1.isElsewhere ? 1 : 0) }?.command
    }

    /// Longer than any command: rather a text that was meant to be sent.
    private static let lettersMax = 24

    /// How many letters are missing, superfluous, wrong, or swapped with the next.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var before = [Int](repeating: 0, count: right.count + 1)
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var least = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, before[column - 1] + 1)
                }
                current.append(least)
            }
            before = previous
            previous = current
        }
        return previous[right.count]
    }
}
