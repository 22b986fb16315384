import Foundation
import HTTPTypes
import TourModel
import TourNotebook
import TourPrint

/// Routes of notes in the form of seed 002, which identifies them by whole numbers.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct NoteRoutes: Sendable {
    let parts: ServerParts

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
        let account = try call.requireAccount().id
        let page = try await parts.storage.read { sql throws(Failure) in
            try sql.notebookPage(.note, of: account, request)
        }
        var rows = [NoteBody]()
        for stored in page.rows { rows.append(try NoteBody(stored)) }
        return try .page(Page(rows: rows, next: page.next), request)
    }

    private func create(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var title: String
            var content: String
        }
        let account = try call.requireAccount().id
        let body = try call.json(Body.self)
        let note = Note(title: body.title, content: body.content)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let made = try sql.putNotebook(.note(note), id: .fresh(), of: account, now: call.now)
            return try .json(try NoteBody(made), status: .created)
        }
    }

    private func show(_ call: Call) async throws(Failure) -> Answer {
        try .json(try NoteBody(try await own(call)))
    }

    private func change(_ call: Call) async throws(Failure) -> Answer {
        // A field that is null or left out stays as it is.
        struct Body: Decodable {
            var title: String?
            var content: String?
        }
        let (account, number) = (try call.requireAccount().id, call.parameters["id"] ?? "")
        let body = try call.json(Body.self)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let held = try sql.ownNote(number, of: account)
            let before = try held.note()
            let after = Note(title: body.title ?? before.title, content: body.content ?? before.content)
            guard after != before else { return try .json(try NoteBody(held)) }
            let stored = try sql.putNotebook(.note(after), id: held.item.id, of: account, now: call.now)
            return try .json(try NoteBody(stored))
        }
    }

    private func delete(_ call: Call) async throws(Failure) -> Answer {
        let (account, number) = (try call.requireAccount().id, call.parameters["id"] ?? "")
        return try await call.write(parts.storage) { sql throws(Failure) in
            let held = try sql.ownNote(number, of: account)
            try sql.deleteNotebook(held.item.id, of: account, now: call.now)
            return .noContent
        }
    }

    private func print(_ call: Call) async throws(Failure) -> Answer {
        let stored = try await own(call)
        let document = PrintDocument(note: try stored.note(), of: stored, in: call.language)
        return .pdf(try await parts.printing.file(of: document, for: call), name: "note-\(stored.number)")
    }

    private func own(_ call: Call) async throws(Failure) -> StoredItem {
        let (account, number) = (try call.requireAccount().id, call.parameters["id"] ?? "")
        return try await parts.storage.read { sql throws(Failure) in try sql.ownNote(number, of: account) }
    }
}

/// A note in the form that clients of seed 002 read.
private struct NoteBody: Encodable {
    let id: Int64
    let title: String
    let content: String
    let createdAt: WholeSeconds
    let updatedAt: WholeSeconds

    init(_ stored: StoredItem) throws(Failure) {
        let note = try stored.note()
        id = stored.number
        title = note.title
        content = note.content
        createdAt = WholeSeconds(seconds: stored.item.createdAt)
        updatedAt = WholeSeconds(seconds: stored.item.updatedAt)
    }

    private enum CodingKeys: String, CodingKey {
        case id, title, content
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}

extension StoredItem {
    /// - Throws: `internal` for an item of another kind.
    fileprivate func note() throws(Failure) -> Note {
        guard case .note(let note) = item.content else {
            throw Failure(.internalError, cause: "a note is of another kind")
        }
        return note
    }
}

extension SQL {
    /// The caller's note of this number.
    /// - Parameter number: as the request's path has it.
    /// - Throws: `notFound`; `forbidden` for another account's note.
    fileprivate func ownNote(_ number: String, of account: Int64) throws(Failure) -> StoredItem {
        guard let number = Int64(number), number > 0, let found = try notebookNote(number: number) else {
            throw Failure(.notFound)
        }
        guard found.account == account else { throw Failure(.forbidden) }
        return found.stored
    }
}
