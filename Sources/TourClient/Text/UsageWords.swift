import ArgumentParser
import TourWords

/// The parser's help and refusals in the user's language: its headings and usual complaints. The commands' own words
/// are translated already. A refusal does not repeat the usage: it says where to find that.
package enum UsageWords {
    /// The text that the parser would print for an error, or for a request for help.
    /// - Parameter root: the command that was parsed, with all below it.
    package static func text(
        for error: any Error, of root: any ParsableCommand.Type, columns: Int, in language: Language = .ofUser
    ) -> String {
        let status = root.exitCode(for: error)
        // Lines are broken here, since the parser counts characters, not columns.
        let text = root.fullMessage(for: error, columns: wide)
        // A version, or a completion script for a shell.
        guard status != .success || ["OVERVIEW: ", "USAGE: "].contains(where: text.hasPrefix) else { return text }
        let complaint = root.message(for: error)
        guard status != .success, !complaint.isEmpty, let start = text.firstRange(of: complaint) else {
            return help(text, columns: columns, in: language)
        }
        let first = Phrase("Error: \(UsageComplaint.translated(complaint))").said(in: language)
        let rest = text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("Usage: ") }.joined(separator: "\n")
        return first + help(rest, columns: columns, in: language)
    }

    /// Wider than any line.
    private static let wide = 100_000

    /// - Parameter text: with unbroken lines.
    package static func help(_ text: String, columns: Int, in language: Language) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { broken(line(String($0)).said(in: language), columns: columns) }
            .joined(separator: "\n")
    }

    /// A line of the parser; lines with our own words stay as they are.
    package static func line(_ line: String) -> Phrase {
        if let heading = heading(line) { return heading }
        if let rest = rest(line, "OVERVIEW: ") { return Phrase("OVERVIEW: \(rest)") }
        if let rest = rest(line, "USAGE: ") { return Phrase("USAGE: \(rest)") }
        if let rest = rest(line, "Help:  ") { return Phrase("Help:  \(rest)") }
        if let command = between(line, "  See '", "' for detailed help.") {
            return Phrase("See '\(command)' for detailed help.").indented
        }
        if let command = between(line, "  See '", "' for more information.") {
            return Phrase("See '\(command)' for more information.").indented
        }
        for (end, words) in ownHelp where line.hasSuffix(end) {
            return Phrase(verbatim: line.dropLast(end.count)) + words
        }
        return values(line)
    }

    private static func heading(_ line: String) -> Phrase? {
        switch line {
        case "ARGUMENTS:": Phrase("ARGUMENTS:")
        case "OPTIONS:": Phrase("OPTIONS:")
        case "SUBCOMMANDS:": Phrase("SUBCOMMANDS:")
        case "NODE: SUBCOMMANDS:": Phrase("NODE: SUBCOMMANDS:")
        case "TOUR: SUBCOMMANDS:": Phrase("TOUR: SUBCOMMANDS:")
        case "MESSAGES: SUBCOMMANDS:": Phrase("MESSAGES: SUBCOMMANDS:")
        case "FILES: SUBCOMMANDS:": Phrase("FILES: SUBCOMMANDS:")
        case "NOTEBOOK: SUBCOMMANDS:": Phrase("NOTEBOOK: SUBCOMMANDS:")
        case "SERVER: SUBCOMMANDS:": Phrase("SERVER: SUBCOMMANDS:")
        case "DATA: SUBCOMMANDS:": Phrase("DATA: SUBCOMMANDS:")
        default: nil
        }
    }

    /// The parser's descriptions of its own options.
    private static let ownHelp = [
        ("Show help information.", Phrase("Show help information.")),
        ("Show the version.", Phrase("Show the version.")),
    ]

    /// `… (values: full, none; default: full)` and the like, which the parser adds to an option's help.
    private static func values(_ line: String) -> Phrase {
        if let (start, parts) = split(line, before: "(values: ", "; default: ") {
            return Phrase(verbatim: start) + Phrase("(values: \(parts[0]); default: \(parts[1]))")
        }
        if let (start, parts) = split(line, before: "(values: ") {
            return Phrase(verbatim: start) + Phrase("(values: \(parts[0]))")
        }
        if let (start, parts) = split(line, before: "(default: ") {
            return Phrase(verbatim: start) + Phrase("(default: \(parts[0]))")
        }
        return Phrase(verbatim: line)
    }

    /// - Returns: the text before the last parenthesis of a line, and the text in it.
    private static func split(
        _ line: String, before words: String, _ more: String? = nil
    ) -> (start: Substring, parts: [Substring])? {
        guard line.hasSuffix(")"), let open = line.ranges(of: words).last else { return nil }
        let inside = line[open.upperBound...].dropLast()
        guard let more else { return (line[..<open.lowerBound], [inside]) }
        guard let middle = inside.firstRange(of: more) else { return nil }
        return (line[..<open.lowerBound], [inside[..<middle.lowerBound], inside[middle.upperBound...]])
    }

    private static func rest(_ line: String, _ start: String) -> Substring? {
        line.hasPrefix(start) ? line.dropFirst(start.count) : nil
    }

    private static func between(_ line: String, _ start: String, _ end: String) -> Substring? {
        guard line.hasPrefix(start), line.hasSuffix(end), line.count >= start.count + end.count else { return nil }
        return line.dropFirst(start.count).dropLast(end.count)
    }

    /// A line broken to this width, continued below the start of its words.
    private static func broken(_ line: String, columns: Int) -> String {
        guard DisplayWidth.of(line) > columns else { return line }
        var indent = line.prefix { $0 == " " }.count
        let label = line.prefix(labelColumns)
        // `  --option <value>        What it does.`
        if indent > 0, indent < labelColumns, label.hasSuffix("  ") || label.count < line.count && label.last == " " {
            indent = labelColumns
        }
        guard columns - indent >= wordColumnsMin else { return line }
        let words = DisplayWidth.wrapped(String(line.dropFirst(indent)), columns: columns - indent)
        let margin = String(repeating: " ", count: indent)
        return ([String(line.prefix(indent)) + (words.first ?? "")] + words.dropFirst().map { margin + $0 })
            .joined(separator: "\n")
    }

    /// The column where the parser begins descriptions of options and commands.
    private static let labelColumns = 26
    private static let wordColumnsMin = 20
}
