import ArgumentParser
import TourJSON
import TourModel
import TourNotebook
import TourWords

/// The item of the notebook that a command is about.
struct ItemArgument: ParsableArguments {
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of its id, or its title.")))
    var item: String
}

/// Paths below the notebook in the local API.
enum NotebookPath {
    static func list(_ kind: NotebookKind) -> String { LocalPath.make(["notebook", kind.rawValue]) }

    static func item(_ kind: NotebookKind, _ name: String, _ more: String...) -> String {
        LocalPath.make(["notebook", kind.rawValue, name] + more)
    }
}

extension LocalClient {
    /// All items of a kind, one line each, as the node wrote it.
    func eachLine(of kind: NotebookKind, _ body: (ArraySlice<UInt8>) throws -> Void) async throws {
        var lines = WholeLines()
        try await stream(NotebookPath.list(kind)) { chunk in
            for line in lines.add(chunk).split(separator: 0x0A) { try body(line) }
        }
        guard lines.isComplete else { throw CommandFailure.nodeGone }
    }

    /// All items of a kind.
    func items(_ kind: NotebookKind) async throws -> [JSON] {
        var items: [JSON] = []
        try await eachLine(of: kind) { line in
            guard let item = try? JSON(parsing: line) else { throw CommandFailure.badAnswer }
            items.append(item)
        }
        return items
    }

    /// The names of the categories, by their ids.
    func categoryNames() async throws -> [String: String] {
        var names: [String: String] = [:]
        for category in try await items(.category) { names[category.shown("id")] = category.shown("name") }
        return names
    }
}

extension Output {
    /// The answer for programs, a sentence for people: `Added Eiffel Tower (3fa2c1d0).`
    /// - Parameter sentence: takes the item's title and the first digits of its id.
    func confirm(_ item: JSON, _ sentence: (_ title: String, _ id: String) -> Phrase) throws {
        if json { return try object(item) }
        try text(sentence(foreign(item.title, .bold), item.shortID))
        if let problem = item["problem"]?.text {
            try text(Phrase("The server does not take it: \(foreign(problem, .yellow))"))
        }
    }

    func confirmChange(_ item: JSON) throws { try confirm(item) { Phrase("Changed \($0) (\($1)).") } }

    func confirmRemoval(_ item: JSON) throws { try confirm(item) { Phrase("Removed \($0) (\($1)).") } }
}

extension JSON {
    /// The title of a notebook item.
    var title: String { self["title"]?.text ?? self["name"]?.text ?? self["item"]?.title ?? "" }

    var shortID: String { String(shown("id").prefix(8)) }

    /// When the item was changed, in local time.
    var changedAt: String { Timestamp(shown("updated_at"))?.dateAndTime ?? "" }
}

/// The given fields of an item, for a request.
struct ItemFields {
    private(set) var members: [JSONMember] = []

    var json: JSON { .object(members) }
    var isEmpty: Bool { members.isEmpty }

    mutating func set(_ name: String, _ value: JSON?) {
        guard let value else { return }
        members.append(JSONMember(name: name, value: value))
    }

    mutating func set(_ name: String, _ text: String?) { set(name, text.map { JSON.text($0) }) }
}

/// For acts that cannot be undone.
extension Consent {
    /// Shows what would be deleted, and asks where a user sits at a terminal.
    func coversRemoval(of kind: NotebookKind, _ name: String, _ client: LocalClient, _ output: Output) async throws
        -> Bool
    {
        if isGiven || !Confirmation.canBeAsked(json: output.json) { return true }
        let item = try await client.call(.GET, NotebookPath.item(kind, name))
        return try covers(Phrase("Remove '\(item.title)' here and on your other devices?"), output)
    }
}
