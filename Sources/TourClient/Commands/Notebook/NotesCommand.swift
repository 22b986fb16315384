import ArgumentParser
import TourJSON
import TourModel
import TourNotebook
import TourWords

/// `notes …`
struct NotesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notes",
        abstract: Phrase("Your own notes, on this device and, with an account, on your others."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat notes add "Museum" "Tickets are at the side door."
              tour-chat notes list
              tour-chat notes pdf Museum --out museum.pdf
            """),
        subcommands: [
            NotesList.self, NotesShow.self, NotesAdd.self, NotesEdit.self, RemoveItem<NoteItem>.self,
            PrintItem<NoteItem>.self,
            Publish<NoteItem>.self, Unpublish<NoteItem>.self,
        ])
}

/// `notes list`
struct NotesList: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: Phrase("List your notes."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat notes list
              tour-chat notes list --search "side door"
              tour-chat notes list --json
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var search: SearchOption

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let notes = try await client.items(.note).filter { search.fits([$0.title, $0.shown("content")]) }
        let head = [Phrase("ID"), Phrase("TITLE"), Phrase("CHANGED"), Phrase("BEGINS")]
        try output.list(notes, head, none: Phrase("No notes.")) { note in
            let start = note.shown("content").split(whereSeparator: \.isNewline).first.map { String($0.prefix(60)) }
            return [.init(note.shortID, .dim), .init(note.title, .bold), .init(note.changedAt), .init(start ?? "")]
        }
    }
}

/// `notes show`
struct NotesShow: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: Phrase("Show one note."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat notes show 3fa2c1
              tour-chat notes show Museum --json
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItemArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let note = try await client.call(.GET, NotebookPath.item(.note, target.item))
        if output.json { return try output.object(note) }
        try output.text(
            Phrase(verbatim: output.foreign(note.title, .bold)),
            Phrase(verbatim: output.styled("\(note.shortID) · \(note.changedAt)", .dim)))
        if let problem = note["problem"]?.text { try output.text(Phrase(verbatim: output.foreign(problem, .yellow))) }
        try output.text(.empty, Phrase(verbatim: TerminalText.safe(note.shown("content"), keepsNewlines: true)))
    }
}

/// `notes add`
struct NotesAdd: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: Phrase("Write a note."),
        discussion: Phrase(
            """
            Without a text, on a terminal, your editor opens ($VISUAL, $EDITOR). With - the text comes from standard \
            input. A text that starts with a dash goes behind --.

            EXAMPLES
              tour-chat notes add "Museum" "Tickets are at the side door."
              tour-chat notes add "Packing list" - < list.txt
              tour-chat notes add "Diary"
            """))

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("The title.")))
    var title: String
    @Argument(help: ArgumentHelp(Phrase("The text, or - for standard input.")))
    var text: String?

    var absence: NodeAccess.Absence { .begin }

    func validate() throws { try NoteText.validate(text, json: global.json) }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let content = try await NoteText.read(text, before: "")
        do {
            let body: JSON = ["title": .text(title), "content": .text(content.text)]
            let answer = try await client.call(.POST, NotebookPath.list(.note), body)
            try output.confirm(answer) { Phrase("Noted \($0) (\($1)).") }
            content.discard()
        } catch { throw content.kept(error) }
    }
}

/// `notes edit`
struct NotesEdit: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: Phrase("Change a note."),
        discussion: Phrase(
            """
            Without a text and a title, on a terminal, your editor opens ($VISUAL, $EDITOR). What is changed on two \
            devices at once is not lost: 'tour-chat notebook lost' shows what gave way.

            EXAMPLES
              tour-chat notes edit 3fa2c1
              tour-chat notes edit Museum --title "Museum, Tuesday"
              tour-chat notes edit 3fa2c1 "Tickets are at the main door now."
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItemArgument
    @Argument(help: ArgumentHelp(Phrase("The new text, or - for standard input.")))
    var text: String?
    @Option(help: ArgumentHelp(Phrase("The new title.")))
    var title: String?

    func validate() throws {
        if title == nil { try NoteText.validate(text, json: global.json) }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var fields = ItemFields()
        fields.set("title", title)
        guard text != nil || title == nil else { return try await change(fields, client, output) }
        let note = try await client.call(.GET, NotebookPath.item(.note, target.item))
        let content = try await NoteText.read(text, before: note.shown("content"))
        fields.set("content", content.text)
        // A user who wrote in an editor for long has not seen changes made meanwhile.
        if text == nil { fields.set("sync_version", note["sync_version"]) }
        do {
            try await change(fields, client, output)
            content.discard()
        } catch { throw content.kept(error) }
    }

    private func change(_ fields: ItemFields, _ client: LocalClient, _ output: Output) async throws {
        let path = NotebookPath.item(.note, target.item)
        try output.confirmChange(try await client.call(.PATCH, path, fields.json))
    }
}
