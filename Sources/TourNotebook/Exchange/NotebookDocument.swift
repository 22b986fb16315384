import TourModel

/// A whole notebook as one JSON document: the format's name and version, then the lists of a sync, each item as on the
/// wire. It does not contain files of saved places. Source: `Protocol/12-notebook.md`, "Import and export".
package struct NotebookDocument: Sendable {
    /// The value of the field `format`.
    package static let format = "tour-chat-notebook"
    /// The value of the field `version`.
    package static let version = 1
    /// The lists in order: items come before those that refer to them.
    package static let kinds: [NotebookKind] = [.category, .place, .note, .stop, .itinerary, .lost]

    /// The contents of a decoded document.
    package var imported: ImportedNotebook

    /// The text before the first list. An item is `separator` (except before the first of its list), then its JSON.
    package static var start: String { "{\"format\":\"\(format)\",\"version\":\(version)" }

    /// The text before the list of a kind.
    package static func begin(_ kind: NotebookKind) -> String { ",\n\"\(kind.rawValue)\":[" }

    /// The text between two items.
    package static let separator = ",\n"
    /// The text after a list.
    package static let endOfList = "]"
    /// The text after the last list.
    package static let end = "}\n"
}

extension NotebookDocument: Decodable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// - Throws: `ImportFault`, and `DecodingError` for another document; elements that are no items are listed as
    ///   skipped.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        guard try fields.decodeIfPresent(String.self, forKey: Key("format")) == Self.format else {
            throw ImportFault.unreadable
        }
        guard try fields.decode(WholeNumber.self, forKey: Key("version")).value == Self.version else {
            throw ImportFault.newer
        }
        imported = ImportedNotebook()
        var number = 0
        for kind in Self.kinds where fields.contains(Key(kind.rawValue)) {
            var list = try fields.nestedUnkeyedContainer(forKey: Key(kind.rawValue))
            while !list.isAtEnd {
                number += 1
                guard number <= Limits.notebookItemsMax else { throw ImportFault.tooMany }
                add(try list.superDecoder(), kind, number)
            }
        }
    }

    private mutating func add(_ element: any Decoder, _ kind: NotebookKind, _ number: Int) {
        do {
            let item = try NotebookItem(from: element, kind: kind, now: 0)
            imported.add(.init(id: item.id, content: item.content, number: number))
        } catch {
            let fields = try? element.container(keyedBy: Key.self)
            let title = ["title", "name"].lazy.compactMap { try? fields?.decode(String.self, forKey: Key($0)) }.first
            imported.skipped.append(.init(number: number, title: title ?? "", fault: EntryFault(error)))
        }
    }
}

extension EntryFault {
    /// Why an element of a document's list is no item.
    fileprivate init(_ error: any Error) {
        switch error as? DecodingError {
        case .keyNotFound(let key, _): self = .missing(field: key.stringValue)
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            // An index in the list is no field.
            let field = context.codingPath.last.flatMap { $0.intValue == nil ? $0.stringValue : nil }
            self = field.map { .item(.notAllowed(field: $0)) } ?? .noItem
        default: self = .noItem
        }
    }
}
