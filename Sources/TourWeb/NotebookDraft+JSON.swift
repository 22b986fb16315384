import Foundation
import TourJSON
import TourModel
import TourNode
import TourNotebook
import TourWords

// Changes of items, as clients ask for them. Source: `Protocol/Schema/local-api.yaml`, `NotebookChange`.
extension NotebookDraft {
    /// The item's fields as on the wire, only those that change: null removes a field (RFC 7396). Beside them
    /// `category` (a name), `pictures`, `file`, `detach` and `sync_version`.
    /// - Throws: `bad-request`, `bad-path`.
    init(_ body: JSON, _ paths: LocalPathRule) throws(WebError) {
        guard case .object(let members) = body else { throw WebError.badItem(Phrase("it is no object")) }
        let fields = members.filter { !Self.own.contains($0.name) }
        self.init { content in try content.merging(fields) }
        switch body["category"] {
        case nil: break
        case .null: category = .none
        case .text(let name): category = .named(name)
        default: throw WebError.badItem(Phrase("category: no name"))
        }
        pictures = try Self.texts(body, "pictures")
        detached = try Self.texts(body, "detach")
        file = try Self.texts(body, "file").first
        version = body["sync_version"]?.integer.map { Int64($0) }
        for path in pictures + [file].compactMap(\.self) { try paths.check(path) }
    }

    /// Keys that are no fields of an item, or that clients must not change.
    private static let own: Set = [
        "category", "pictures", "file", "detach", "sync_version", "id", "created_at", "updated_at", "position", "stop",
        "image_urls", "file_url",
    ]

    private static func texts(_ body: JSON, _ name: String) throws(WebError) -> [String] {
        switch body[name] {
        case nil, .null: return []
        case .text(let text): return [text]
        case .list(let list):
            let texts = list.compactMap(\.text)
            guard texts.count == list.count else { throw WebError.badItem(Phrase("\(name): no texts")) }
            return texts
        default: throw WebError.badItem(Phrase("\(name): no text"))
        }
    }
}

extension WebError {
    fileprivate static func badItem(_ reason: Phrase) -> WebError {
        WebError("bad-item", Phrase("That is no item of a notebook: \(reason)."))
    }
}

extension NotebookContent {
    /// The same content with the fields of a merge patch in place of its own.
    fileprivate func merging(_ fields: [JSONMember]) throws -> NotebookContent {
        guard case .object(var members) = try JSON(parsing: JSONEncoder().encode(self)) else { return self }
        for field in fields {
            members.removeAll { $0.name == field.name }
            if field.value != .null { members.append(field) }
        }
        let decoder = JSONDecoder()
        if let key = ContentOfKind.kind { decoder.userInfo[key] = kind }
        do {
            return try decoder.decode(ContentOfKind.self, from: Data(JSON.object(members).encoded)).content
        } catch let error as DecodingError {
            throw WebError.badItem(error.field)
        }
    }
}

/// Content of the kind given to the decoder.
private struct ContentOfKind: Decodable {
    static let kind = CodingUserInfoKey(rawValue: "notebook-kind")

    let content: NotebookContent

    init(from decoder: any Decoder) throws {
        guard let key = Self.kind, let kind = decoder.userInfo[key] as? NotebookKind else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no kind"))
        }
        content = try NotebookContent(from: decoder, kind: kind)
    }
}

extension DecodingError {
    /// The invalid field, and what is wrong with it.
    fileprivate var field: Phrase {
        switch self {
        case .keyNotFound(let key, _): return Phrase("\(key.stringValue): missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            guard let field = context.codingPath.first?.stringValue else { return Phrase("its fields cannot be that") }
            return Phrase("\(field): cannot be that")
        @unknown default: return Phrase("its fields cannot be read")
        }
    }
}
