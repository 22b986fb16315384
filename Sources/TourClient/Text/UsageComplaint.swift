import TourWords

/// The parser's complaints about a command line, in the user's language.
package enum UsageComplaint {
    /// A complaint of the parser's own, split around the words that it names.
    private struct Form: Sendable {
        /// The fixed texts before, between and after the named words.
        let pieces: [String]
        let words: @Sendable ([Substring]) -> Phrase

        init(_ pieces: String..., words: @escaping @Sendable ([Substring]) -> Phrase) {
            self.pieces = pieces
            self.words = words
        }

        /// - Returns: the named words; nil for another text.
        func named(in text: String) -> [Substring]? {
            guard let first = pieces.first, text.hasPrefix(first) else { return nil }
            var rest = text.dropFirst(first.count)
            var named: [Substring] = []
            for piece in pieces.dropFirst().dropLast() {
                guard let place = rest.firstRange(of: piece) else { return nil }
                named.append(rest[..<place.lowerBound])
                rest = rest[place.upperBound...]
            }
            guard let last = pieces.last, rest.hasSuffix(last) else { return nil }
            return named + [rest.dropLast(last.count)]
        }
    }

    /// Leaves an unknown complaint as it is: our own refusals are in the user's language already.
    package static func translated(_ complaint: String) -> Phrase {
        for form in forms {
            if let named = form.named(in: complaint) { return form.words(named) }
        }
        return complaint == "Missing required subcommand."
            ? Phrase("Missing required subcommand.") : Phrase(verbatim: complaint)
    }

    /// Longer forms first, where one begins like another.
    private static let forms = [
        Form("Unknown option '", "'. Did you mean '", "'?") {
            Phrase("Unknown option '\($0[0])'. Did you mean '\($0[1])'?")
        },
        Form("Unknown option '", "'") {
            $0[0].contains(" ")
                ? Phrase("Unknown option '\($0[0])': a text that starts with a dash goes behind --")
                : Phrase("Unknown option '\($0[0])'")
        },
        Form("Missing value for '", "'") { Phrase("Missing value for '\($0[0])'") },
        Form("The option '", "' does not take any value, but '", "' was specified.") {
            Phrase("The option '\($0[0])' does not take any value, but '\($0[1])' was specified.")
        },
        Form("Unexpected argument '", "'") { Phrase("Unexpected argument '\($0[0])'") },
        Form("", " unexpected arguments: '", "'") { Phrase("\($0[0]) unexpected arguments: '\($0[1])'") },
        Form("Missing expected argument '", "'") { Phrase("Missing expected argument '\($0[0])'") },
        Form("Missing one of: '", "'") { Phrase("Missing one of: '\($0[0])'") },
        Form("Value to be set with flag '", "' had already been set with flag '", "'") {
            Phrase("Value to be set with flag '\($0[0])' had already been set with flag '\($0[1])'")
        },
        Form("The value '", "' is invalid for '", "'. Please provide one of ", ".") {
            Phrase("The value '\($0[0])' is invalid for '\($0[1])'. Please provide one of \(list($0[2])).")
        },
        Form("The value '", "' is invalid for '", "': ", "") {
            Phrase("The value '\($0[0])' is invalid for '\($0[1])': \($0[2])")
        },
        Form("The value '", "' is invalid for '", "'") {
            Phrase("The value '\($0[0])' is invalid for '\($0[1])'")
        },
        Form("Invalid option: ", "") { Phrase("Invalid option: \($0[0])") },
    ]

    /// `'a', 'b' or 'c'`, without the words between.
    private static func list(_ values: Substring) -> String {
        String(values.replacing(" and '", with: ", '").replacing(" or '", with: ", '"))
    }
}
