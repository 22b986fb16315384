import ArgumentParser
import TourJSON
import TourModel
import TourNotebook
import TourWords

/// `notebook …`
struct NotebookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notebook",
        abstract: Phrase("Notes, places and itineraries together: copies of them, and conflicts."),
        discussion: Phrase(
            """
            With an account ('tour-chat login') they are the same on all your devices; without one they are on this \
            device alone.

            EXAMPLES
              tour-chat notebook export --format json --out notebook.json
              tour-chat notebook import notebook.json
              tour-chat notebook lost
            """),
        subcommands: [
            NotebookExportCommand.self, NotebookImportCommand.self, NotebookLost.self, NotebookRestore.self,
            NotebookDismiss.self, NotebookUnlink.self,
        ])
}

/// `notebook export`
struct NotebookExportCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: Phrase("Write all of it to a file or to standard output."),
        discussion: Phrase(
            """
            json: everything but the pictures and files of places; csv: one table for spreadsheets, without what lost \
            a conflict. Exports are not sealed. A file that is there already is replaced with --force only.

            EXAMPLES
              tour-chat notebook export --format json --out notebook.json
              tour-chat notebook export --format csv > notebook.csv
            """))

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp(Phrase("json or csv.")))
    var format: ExchangeFormat
    @OptionGroup var target: ExportOptions

    func validate() throws {
        guard format != .gpx else {
            throw ValidationError(Phrase("GPX holds places alone: 'tour-chat places export' writes it."))
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
        abstract: Phrase("Take in what 'export' wrote, here or elsewhere."),
        discussion: Phrase(
            """
            What is here already does not come twice; what is here under the same id and says something else stays, \
            unless --replace is said. What is no item is left out, and told.

            EXAMPLES
              tour-chat notebook import notebook.json
              tour-chat notebook import notebook.csv --replace
            """))

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
        abstract: Phrase("What gave way when two devices changed the same thing."),
        discussion: Phrase(
            """
            The server keeps one of two versions that were written without knowing of each other; the other one is \
            kept here until you have looked at it. WHY says whether another version was kept, or the thing was removed.

            EXAMPLES
              tour-chat notebook lost
              tour-chat notebook lost 3fa2c1
              tour-chat notebook restore 3fa2c1
              tour-chat notebook dismiss 3fa2c1
            """))

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("Show all of this one: six or more digits of its id.")))
    var item: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        if let item {
            let edit = try await client.call(.GET, NotebookPath.item(.lost, item))
            return try output.done(edit, LostWords(edit).lines)
        }
        let edits = try await client.items(.lost)
        if output.json { return try edits.forEach(output.object) }
        guard !edits.isEmpty else { return try StandardStream.error.line(Phrase("Nothing was lost.")) }
        var table = Table([Phrase("ID"), Phrase("WHAT"), Phrase("TITLE"), Phrase("CHANGED"), Phrase("WHY")])
        for edit in edits {
            let words = LostWords(edit)
            table.add([
                .init(edit.shortID, .dim), .init(words.noun), .init(edit.title, .bold),
                .init(edit["item"]?.changedAt ?? ""), .init(words.reason),
            ])
        }
        try output.table(table)
        try output.text(
            output.styled(Phrase("'tour-chat notebook restore ID' brings one back, 'dismiss ID' lets it go."), .dim))
    }
}

/// `notebook restore`
struct NotebookRestore: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: Phrase("Make what gave way a thing of its own again, beside what is there."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat notebook restore 3fa2c1
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItemArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let path = NotebookPath.item(.lost, target.item, "restore")
        try output.confirm(try await client.call(.POST, path)) { Phrase("Restored \($0) (\($1)).") }
    }
}

/// `notebook dismiss`
struct NotebookDismiss: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: Phrase("Let go of what gave way, here and on your other devices."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat notebook dismiss 3fa2c1
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItemArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.DELETE, NotebookPath.item(.lost, target.item))
        try output.confirm(answer) { Phrase("Dismissed \($0) (\($1)).") }
    }
}

/// `notebook unlink`
struct NotebookUnlink: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlink",
        abstract: Phrase("Take the notebook away from its account; everything stays here."),
        discussion: Phrase(
            """
            A notebook belongs to the account that was logged in with it first, and is not synced with another one. \
            After this it goes, as new, to the account that is logged in next. At the first account nothing changes.

            EXAMPLES
              tour-chat notebook unlink --yes
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var consent: Consent

    func validate() throws {
        try consent.require(json: global.json, because: Phrase("The notebook would go to another account as new"))
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        guard try consent.covers(Phrase("Take the notebook away from its account?"), output) else { return }
        let answer = try await client.call(.POST, LocalPath.make(["notebook", "unlink"]))
        try output.done(answer, Phrase("The notebook belongs to no account now."))
    }
}

/// The loser of a conflict, for people.
package struct LostWords: Hashable, Sendable {
    /// The kind of item.
    package let noun: Phrase
    /// Why it lost.
    package let reason: Phrase
    /// Its full content, safe for a terminal.
    package let lines: [Phrase]

    /// - Parameter edit: of the local API.
    package init(_ edit: JSON) {
        let item = edit["item"] ?? .null
        noun = Self.noun(NotebookKind(rawValue: edit.shown("kind")))
        reason = edit.shown("reason") == "deleted" ? Phrase("it was removed") : Phrase("another version was kept")
        var lines = [Phrase("\(TerminalText.safe(item.title, keepsNewlines: true)) (\(noun)): \(reason)")]
        if case .object(let members) = item {
            for member in members where !Self.hidden.contains(member.name) {
                guard let text = Self.words(member.value) else { continue }
                lines.append(Phrase("\(TerminalText.safe(member.name)): \(text)"))
            }
        }
        self.lines = lines
    }

    private static func noun(_ kind: NotebookKind?) -> Phrase {
        switch kind {
        case .note: Phrase("note")
        case .place: Phrase("place")
        case .category: Phrase("category")
        case .itinerary: Phrase("itinerary")
        case .stop: Phrase("stop")
        case .lost: Phrase("lost edit")
        case nil: Phrase("thing")
        }
    }

    private static let hidden: Set = ["id", "sync_version", "created_at", "title", "name"]

    private static func words(_ value: JSON) -> Phrase? {
        switch value {
        case .null, .object: nil
        case .text(let text): text.isEmpty ? nil : safe(text)
        case .number(let number): safe(number)
        case .flag(let flag): flag ? Phrase("yes") : nil
        case .list(let list) where list.isEmpty: nil
        case .list(let list): safe(Phrase(list: list.compactMap { $0.text ?? $0["id"]?.text }).text)
        }
    }

    private static func safe(_ text: String) -> Phrase {
        Phrase(verbatim: TerminalText.safe(text, keepsNewlines: true))
    }
}
