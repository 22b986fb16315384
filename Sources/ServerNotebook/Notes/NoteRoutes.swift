import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage
import TourModel
import TourNotebook
import TourPrint

/// Routes of notes in the form of seed 002, which identifies them by whole numbers.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct NoteRoutes: Sendable {
    let parts: RequestParts
    let printing: PrintQueue

    var routes: [Route] {
        let body = Route.Body.json(bytesMax: ServerLimits.itemBodyMax)
        return [
            Route(.get, "/notes", isHeavy: true, handler: list),
            Route(.post, "/notes", body: body, handler: create),
            Route(.get, "/notes/{id}", handler: show),
            Route(.put, "/notes/{id}", body: body, handler: change),
            Route(.delete, "/notes/{id}", handler: delete),
            Route(.get, "/notes/{id}/pdf", limits: [.printsPerAddress], handler: print),
        ]
    }

    private func list(_ call: Call) async throws(Failure) -> Answer {
        let request = try PageRequest.ofItems(call)
        let account = try call.requireAccount()
        let page = try await parts.storage.read { sql throws(Failure) -> Page<NoteBody> in
            let found = try NotebookRows(sql: sql, of: account).page(.note, request)
            return Page(rows: try found.rows.map { row throws(Failure) in try NoteBody(row) }, next: found.next)
        }
        return try .page(page, request)
    }

    private func create(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var title: String
            var content: String
        }
        let account = try call.requireAccount()
        let body = try call.json(Body.self)
        let note = Note(title: body.title, content: body.content)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let made = try NotebookRows(sql: sql, of: account).put(.note(note), id: .fresh(), now: call.now)
            return try .json(try NoteBody(made), status: .created)
        }
    }

    private func show(_ call: Call) async throws(Failure) -> Answer {
        let (account, number) = (try call.requireAccount(), call.parameters["id"] ?? "")
        let body = try await parts.storage.read { sql throws(Failure) in
            try NoteBody(try NotebookRows(sql: sql, of: account).note(number))
        }
        return try .json(body)
    }

    private func change(_ call: Call) async throws(Failure) -> Answer {
        // A field that is null or left out stays as it is.
        struct Body: Decodable {
            var title: String?
            var content: String?
        }
        let (account, number) = (try call.requireAccount(), call.parameters["id"] ?? "")
        let body = try call.json(Body.self)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let notebook = NotebookRows(sql: sql, of: account)
            let held = try notebook.note(number)
            let before = try held.item().note()
            let after = Note(title: body.title ?? before.title, content: body.content ?? before.content)
            guard after != before else { return try .json(try NoteBody(held)) }
            let changed = try notebook.put(.note(after), id: held.id, now: call.now)
            return try .json(try NoteBody(changed))
        }
    }

    private func delete(_ call: Call) async throws(Failure) -> Answer {
        let (account, number) = (try call.requireAccount(), call.parameters["id"] ?? "")
        return try await call.write(parts.storage) { sql throws(Failure) in
            let notebook = NotebookRows(sql: sql, of: account)
            let held = try notebook.note(number)
            try notebook.delete(held.id, now: call.now)
            return .noContent
        }
    }

    private func print(_ call: Call) async throws(Failure) -> Answer {
        let (account, number) = (try call.requireAccount(), call.parameters["id"] ?? "")
        let (held, item) = try await parts.storage.read { sql throws(Failure) in
            let held = try NotebookRows(sql: sql, of: account).note(number)
            return (held, try held.item())
        }
        let document = PrintDocument(note: try item.note(), of: item, in: call.language)
        return .pdf(try await printing.file(of: document, for: call), name: "note-\(held.number)")
    }
}

/// A note in the form that clients of seed 002 read.
private struct NoteBody: Encodable {
    let id: Int64
    let title: String
    let content: String
    let createdAt: WholeSeconds
    let updatedAt: WholeSeconds

    init(_ row: NotebookRow) throws(Failure) {
        let note = try row.item().note()
        id = row.number
        title = note.title
        content = note.content
        createdAt = WholeSeconds(seconds: row.created)
        updatedAt = WholeSeconds(seconds: row.updated)
    }

    private enum CodingKeys: String, CodingKey {
        case id, title, content
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}

extension NotebookItem {
    /// - Throws: `internal` for an item of another kind.
    fileprivate func note() throws(Failure) -> Note {
        guard case .note(let note) = content else {
            throw Failure(.internalError, cause: "a note is of another kind")
        }
        return note
    }
}
