import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import TourModel
import TourNotebook

/// A row of table `notebook`: an item whose content stays JSON, since most rows are only passed on.
package struct NotebookRow: Sendable {
    let id: NotebookID
    let kind: NotebookKind
    /// The content's JSON with sorted keys; empty for a deleted item.
    let body: String
    let version: Int64
    /// See `NotebookOrigin.writer`: the device's own name, or its session; nil where the server itself wrote the item.
    let writer: String?
    /// The place of the last change in the order of all changes of the notebook: microseconds since 1970, or more.
    let stamp: Int64
    /// Whole seconds since 1970.
    let created: Int64
    let updated: Int64
    /// Whether the item is deleted, and remembered only by its id.
    let isDeleted: Bool
    /// The whole number that identifies a note beside its id; 0 for other kinds.
    let number: Int64

    static let columns = "id, kind, body, version, writer, stamp, created, updated, deleted, number"
    static let columnCount = 10

    init(
        id: NotebookID, kind: NotebookKind, body: String, version: Int64, writer: String?, stamp: Int64,
        created: Int64, updated: Int64, isDeleted: Bool, number: Int64
    ) {
        self.id = id
        self.kind = kind
        self.body = body
        self.version = version
        self.writer = writer
        self.stamp = stamp
        self.created = created
        self.updated = updated
        self.isDeleted = isDeleted
        self.number = number
    }

    /// - Parameter row: begins with `columns`.
    /// - Throws: `internal` for a row that this version cannot have written.
    init(_ row: SQLRow) throws(Failure) {
        guard let id = NotebookID(try row.bytes(0)), let kind = NotebookKind(rawValue: try row.text(1)) else {
            throw Failure(.internalError, cause: "a notebook has an item that this version does not know")
        }
        self.id = id
        self.kind = kind
        body = try row.text(2)
        version = try row.count(3)
        writer = try row.optionalText(4)
        stamp = try row.count(5)
        created = try row.integer(6)
        updated = try row.integer(7)
        isDeleted = try row.integer(8) != 0
        number = try row.optionalInteger(9) ?? 0
    }

    /// - Throws: `internal` for a body that this version cannot have written, as that of a deleted item.
    func content() throws(Failure) -> NotebookContent { try NotebookBody.content(of: body, kind) }

    /// The item, decoded.
    /// - Throws: the errors of `content`.
    package func item() throws(Failure) -> NotebookItem {
        NotebookItem(id: id, content: try content(), version: version, createdAt: created, updatedAt: updated)
    }
}

/// A content in the database's form: equal contents have equal texts.
enum NotebookBody {
    /// - Throws: `internal` for a number without a JSON form.
    static func text(of content: NotebookContent) throws(Failure) -> String {
        do {
            return String(decoding: try JSONForm.encoder.encode(content), as: UTF8.self)
        } catch {
            throw Failure(.internalError, cause: "an item has no JSON")
        }
    }

    static func content(of body: String, _ kind: NotebookKind) throws(Failure) -> NotebookContent {
        do {
            let decoder = JSONDecoder()
            decoder.userInfo[Kinded.key] = kind
            return try decoder.decode(Kinded.self, from: Data(body.utf8)).content
        } catch {
            throw Failure(.internalError, cause: "a notebook has an item that this version cannot read")
        }
    }

    private struct Kinded: Decodable {
        static let key = CodingUserInfoKey(rawValue: "kind")!
        let content: NotebookContent

        init(from decoder: any Decoder) throws {
            let kind = decoder.userInfo[Self.key] as? NotebookKind ?? .note
            content = try NotebookContent(from: decoder, kind: kind)
        }
    }
}
