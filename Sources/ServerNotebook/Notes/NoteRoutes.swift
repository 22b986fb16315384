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
        let page = try await parts.storage.read { sql throws(Failure) in
            let found = try NotebookRows(sql: sql, of: account).page(.note, request)
            return Page(rows: found.rows.map(\.noteJSON), next: found.next)
        }
        return .page(ofJSON: page, request)
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
            return .json(made.noteJSON, status: .created)
        }
    }

    private func show(_ call: Call) async throws(Failure) -> Answer {
        let (account, number) = (try call.requireAccount(), call.parameters["id"] ?? "")
        let note = try await parts.storage.read { sql throws(Failure) in
            try NotebookRows(sql: sql, of: account).note(number).noteJSON
        }
        return .json(note)
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
            guard after != before else { return .json(held.noteJSON) }
            return .json(try notebook.put(.note(after), id: held.id, now: call.now).noteJSON)
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

extension NotebookRow {
    /// A note in the form that clients of seed 002 read: the stored title and text, and what the row knows beside them.
    fileprivate var noteJSON: String {
        let times = (WholeSeconds(seconds: created).text, WholeSeconds(seconds: updated).text)
        return body.dropLast() + #","created_at":"\#(times.0)","id":\#(number),"updated_at":"\#(times.1)"}"#
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
