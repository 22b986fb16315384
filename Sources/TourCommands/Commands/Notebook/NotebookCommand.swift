import ArgumentParser
import TourModel
import TourNode
import TourNotebook
import TourWeb

/// `notebook …`
struct NotebookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notebook",
        abstract: "Notes, places and itineraries together: copies of them, and conflicts.",
        discussion: """
            With an account ('tour-chat login') they are the same on all your devices; without one they are on this \
            device alone.

            EXAMPLES
              tour-chat notebook export --format json --out notebook.json
              tour-chat notebook import notebook.json
              tour-chat notebook lost
            """,
        subcommands: [
            NotebookExportCommand.self, NotebookImportCommand.self, NotebookLost.self, NotebookRestore.self,
            NotebookDismiss.self, NotebookUnlink.self,
        ])
}

/// `notebook export`
struct NotebookExportCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all of it to a file or to standard output.",
        discussion: """
            json: everything but the pictures and files of places; csv: one table for spreadsheets, without what lost \
            a conflict. Exports are not sealed. A file that is there already is replaced with --force only.

            EXAMPLES
              tour-chat notebook export --format json --out notebook.json
              tour-chat notebook export --format csv > notebook.csv
            """)

    @OptionGroup var global: GlobalOptions
    @Option(help: "json or csv.")
    var format: ExchangeFormat
    @OptionGroup var target: ExportOptions

    func validate() throws {
        guard format != .gpx else {
            throw ValidationError("GPX holds places alone: 'tour-chat places export' writes it.")
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await target.run(format, places: false, client, output)
    }
}

/// `notebook import`
struct NotebookImportCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take in what 'export' wrote, here or elsewhere.",
        discussion: """
            What is here already does not come twice; what is here under the same id and says something else stays, \
            unless --replace is said. What is no item is left out, and told.

            EXAMPLES
              tour-chat notebook import notebook.json
              tour-chat notebook import notebook.csv --replace
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var source: ImportOptions

    var absence: NodeAccess.Absence { .begin }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await source.run(places: false, client, output)
    }
}

/// `notebook lost`
struct NotebookLost: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "lost",
        abstract: "What gave way when two devices changed the same thing.",
        discussion: """
            The server keeps one of two versions that were written without knowing of each other; the other one is \
            kept here until you have looked at it. WHY says whether another version was kept, or the thing was removed.

            EXAMPLES
              tour-chat notebook lost
              tour-chat notebook lost 3fa2c1
              tour-chat notebook restore 3fa2c1
              tour-chat notebook dismiss 3fa2c1
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Show all of this one: six or more digits of its id.")
    var item: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        if let item {
            let edit = try await client.call(.GET, NotebookPath.item(.lost, item))
            if output.json { return try output.object(edit) }
            return try output.text(LostWords(edit).lines.joined(separator: "\n"))
        }
        let edits = try await client.items(.lost)
        if output.json { return try edits.forEach(output.object) }
        guard !edits.isEmpty else { return try StandardStream.error.line("Nothing was lost.") }
        var table = Table(["ID", "WHAT", "TITLE", "CHANGED", "WHY"])
        for edit in edits {
            let words = LostWords(edit)
            table.add([
                .init(edit.shortID, .dim), .init(words.noun), .init(edit.title, .bold),
                .init(edit["item"]?.changedAt ?? ""), .init(words.reason),
            ])
        }
        try output.table(table)
        try output.text(
            output.styled("'tour-chat notebook restore ID' brings one back, 'dismiss ID' lets it go.", .dim))
    }
}

/// `notebook restore`
struct NotebookRestore: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make what gave way a thing of its own again, beside what is there.",
        discussion: """
            EXAMPLES
              tour-chat notebook restore 3fa2c1
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItemArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let path = NotebookPath.item(.lost, target.item, "restore")
        try output.told("Restored", try await client.call(.POST, path))
    }
}

/// `notebook dismiss`
struct NotebookDismiss: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Let go of what gave way, here and on your other devices.",
        discussion: """
            EXAMPLES
              tour-chat notebook dismiss 3fa2c1
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItemArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try output.told("Dismissed", try await client.call(.DELETE, NotebookPath.item(.lost, target.item)))
    }
}

/// `notebook unlink`
struct NotebookUnlink: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlink",
        abstract: "Take the notebook away from its account; everything stays here.",
        discussion: """
            A notebook belongs to the account that was logged in with it first, and is not synced with another one. \
            After this it goes, as new, to the account that is logged in next. At the first account nothing changes.

            EXAMPLES
              tour-chat notebook unlink --yes
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var consent: Consent

    func validate() throws {
        try consent.require(json: global.json, because: "The notebook would go to another account as new")
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        guard try consent.covers("Take the notebook away from its account?", output) else { return }
        let answer = try await client.call(.POST, LocalPath.make(["notebook", "unlink"]))
        if output.json { return try output.object(answer) }
        try output.text("The notebook belongs to no account now.")
    }
}

/// What lost a conflict, for people.
package struct LostWords: Hashable, Sendable {
    /// What kind of thing it is.
    package let noun: String
    package let reason: String
    /// All that it said, safe for a terminal.
    package let lines: [String]

    /// - Parameter edit: of the local API.
    package init(_ edit: JSON) {
        noun = NotebookKind(rawValue: edit.shown("kind"))?.noun ?? "thing"
        reason = edit.shown("reason") == "deleted" ? "it was removed" : "another version was kept"
        let item = edit["item"] ?? .null
        var lines = ["\(item.title) (\(noun)): \(reason)"]
        if case .object(let members) = item {
            for member in members where !Self.hidden.contains(member.name) {
                guard let text = Self.text(member.value) else { continue }
                lines.append("\(member.name): \(text)")
            }
        }
        self.lines = lines.map { TerminalText.safe($0, keepsNewlines: true) }
    }

    private static let hidden: Set = ["id", "sync_version", "created_at", "title", "name"]

    private static func text(_ value: JSON) -> String? {
        switch value {
        case .null, .object: nil
        case .text(let text): text.isEmpty ? nil : text
        case .number(let number): number
        case .flag(let flag): flag ? "yes" : nil
        case .list(let list) where list.isEmpty: nil
        case .list(let list): list.compactMap { $0.text ?? $0["id"]?.text }.joined(separator: ", ")
        }
    }
}
