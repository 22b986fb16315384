import Foundation
import ServerBase
import TourModel
import TourNotebook

/// One item as a request says it, in a list that has the name of its kind. `NotebookTransaction.apply` makes the item
/// of it, which depends on what the notebook has under the id.
/// Contract: `Protocol/Schema/openapi.yaml`, `SentItems`.
struct ItemRequest: Sendable {
    let kind: NotebookKind
    /// The index in its list, from 0.
    let index: Int
    let id: NotebookID
    /// 0 where the app sends none.
    let version: Int64
    /// See `NotebookOrigin.base`.
    let base: Int64?
    /// Seconds since 1970; nil where the app sends none.
    let createdAt: Int64?
    let updatedAt: Int64?
    /// The content; its files are paths, without addresses of other servers.
    let content: NotebookContent
    /// Whether the fields for pictures and the file of a saved place are there. A missing field changes nothing.
    let hasPictures: Bool
    let hasFile: Bool
    /// Whether the item referred to files that are not this server's.
    let namesOtherFiles: Bool
    /// The content's text for the table, where the server changes nothing in the content: it is encoded before the
    /// transaction, in which other writers wait.
    let body: String

    private enum CodingKeys: String, CodingKey {
        case id
        case version = "sync_version"
        case base = "base_version"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case pictures = "image_urls"
        case file = "file_url"
    }

    /// - Throws: `DecodingError` naming the field; a `Failure` for a value out of bounds.
    private init(from decoder: any Decoder, kind: NotebookKind, index: Int) throws {
        self.kind = kind
        self.index = index
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        base = try fields.decodeIfPresent(WholeNumber.self, forKey: .base)?.value
        hasPictures = fields.contains(.pictures)
        hasFile = fields.contains(.file)
        id = try fields.decode(NotebookID.self, forKey: .id)
        let content = try NotebookContent(from: decoder, kind: kind)
        version = try fields.decodeIfPresent(WholeNumber.self, forKey: .version)?.value ?? 0
        createdAt = try fields.decodeIfPresent(WholeSeconds.self, forKey: .createdAt)?.seconds
        updatedAt = try fields.decodeIfPresent(WholeSeconds.self, forKey: .updatedAt)?.seconds
        for (number, key) in [(version, CodingKeys.version), (base ?? 0, .base)] {
            guard (0...ServerLimits.itemVersionMax).contains(number) else { throw Failure.invalid(key.rawValue) }
        }
        try content.checked()
        self.content = content.changingPlace { $0.keepFiles { _ in true } }
        namesOtherFiles = self.content.savedPlace?.files.count != content.savedPlace?.addressCount
        body = try NotebookBody.text(of: self.content)
    }

    /// `bookmarks[3].title`.
    func field(_ name: String) -> String { Self.field(name, kind, index) }

    private static func field(_ name: String, _ kind: NotebookKind, _ index: Int) -> String {
        "\(kind.rawValue)[\(index)].\(name)"
    }
}

/// An item of a request that the server rejects, and why.
struct ItemRejection: Error, Sendable {
    let kind: NotebookKind
    /// nil where it cannot be read. It may be readable although the item is not.
    let id: NotebookID?
    let failure: Failure
}

// The lists of items in a request.
extension ItemRequest {
    private struct ListKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ kind: NotebookKind) { stringValue = kind.rawValue }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct Named: Decodable { var id: String? }

    /// The items of all lists that the object has, in the order of `kinds`; a malformed one as its rejection.
    /// - Throws: `DecodingError` for a field that is no list, never for an item.
    static func all(in decoder: any Decoder, kinds: [NotebookKind]) throws -> [Result<ItemRequest, ItemRejection>] {
        let fields = try decoder.container(keyedBy: ListKey.self)
        var items = [Result<ItemRequest, ItemRejection>]()
        for kind in kinds {
            let key = ListKey(kind)
            guard fields.contains(key), try !fields.decodeNil(forKey: key) else { continue }
            var list = try fields.nestedUnkeyedContainer(forKey: key)
            while !list.isAtEnd {
                let index = list.currentIndex
                items.append(read(try list.superDecoder(), kind, index))
            }
        }
        return items
    }

    private static func read(
        _ decoder: any Decoder, _ kind: NotebookKind, _ index: Int
    ) -> Result<ItemRequest, ItemRejection> {
        let failure: Failure
        do {
            return .success(try ItemRequest(from: decoder, kind: kind, index: index))
        } catch let error as Failure {
            let path = error.field.map { field($0, kind, index) }
            failure = Failure(error.code, field: path, cause: error.cause)
        } catch {
            failure = Failure(reading: error)
        }
        let id = try? Named(from: decoder).id
        return .failure(ItemRejection(kind: kind, id: id.flatMap { NotebookID($0) }, failure: failure))
    }
}
