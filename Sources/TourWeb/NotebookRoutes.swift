import Foundation
import Hummingbird
import NIOCore
import TourAPI
import TourJSON
import TourModel
import TourNode
import TourNodeWords
import TourNotebook
import TourWords

// Notes, saved places, itineraries.
extension LocalAPI {
    func addNotebook(_ api: RouterGroup<BasicRequestContext>) {
        api.get("notebook/export") { [slot] request, _ in
            let format: NodeNotebook.ExchangeFormat = try request.format()
            let export = try await slot.node.notebook.export(format, placesOnly: request.isOfPlaces)
            return Response(
                status: .ok, headers: [.contentType: format.mediaType],
                body: ResponseBody { writer in
                    var export = export
                    while let bytes = try await besideTheLoop({ try export.next() }) {
                        if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
                    }
                    try await writer.finish(nil)
                })
        }
        api.post("notebook/import") { [slot] request, _ in
            let body = try await request.body.collect(upTo: NotebookImport.fileBytesMax)
            let report = try await slot.node.notebook.importFile(
                Array(body.readableBytesView), request.format(), placesOnly: request.isOfPlaces,
                replaces: request.query("replace") == "true")
            return try Answer.json(report.answer(withRows: request.query("rows") == "true"))
        }
        api.post("notebook/sync") { [slot] _, _ in
            try await slot.node.notebook.syncNow()
            return Answer.done
        }
        api.post("notebook/unlink") { [slot] _, _ in
            try await slot.node.notebook.unlink()
            return Answer.done
        }
        addNotebookItems(api)
        addStops(api)
    }

    private func addNotebookItems(_ api: RouterGroup<BasicRequestContext>) {
        api.get("notebook/:kind") { [slot] _, context in
            let items = try await slot.node.notebook.items(context.kind)
            return Answer.stream { writer in
                for start in stride(from: 0, to: items.count, by: Self.itemsAtOnce) {
                    let piece = items[start..<min(start + Self.itemsAtOnce, items.count)]
                    let lines = try await besideTheLoop { try piece.flatMap { try Answer.encoded($0) + [0x0A] } }
                    try await writer.write(ByteBuffer(bytes: lines))
                }
            }
        }
        api.post("notebook/:kind") { [slot, paths] request, context in
            try await Answer.json(slot.node.notebook.add(context.kind, NotebookDraft(request.notebookBody(), paths)))
        }
        api.get("notebook/:kind/:item") { [slot] _, context in
            try Answer.json(try await slot.node.notebook.item(context.kind, context.item))
        }
        api.patch("notebook/:kind/:item") { [slot, paths] request, context in
            let draft = try await NotebookDraft(request.notebookBody(), paths)
            return try Answer.json(try await slot.node.notebook.change(context.kind, context.item, draft))
        }
        api.delete("notebook/:kind/:item") { [slot] _, context in
            try Answer.json(try await slot.node.notebook.remove(context.kind, context.item))
        }
        api.post("notebook/:kind/:item/restore") { [slot] _, context in
            try context.requireKind(.lost)
            return try Answer.json(try await slot.node.notebook.restoreLost(context.item))
        }
        api.post("notebook/:kind/:item/save") { [slot, paths] request, context in
            try context.requireKind(.place)
            struct Body: Decodable { var directory: String }
            let directory = try await request.json(Body.self).directory
            try paths.check(directory)
            return try Answer.json(["saved": try await slot.node.notebook.saveFiles(context.item, to: directory)])
        }
    }

    /// The stops of an itinerary; each answer is the changed itinerary.
    private func addStops(_ api: RouterGroup<BasicRequestContext>) {
        api.post("notebook/:kind/:item/samples") { [slot, paths] request, context in
            try context.requireKind(.itinerary)
            let body = try await JSON(parsing: request.notebookBytes())
            let (known, position) = (body["stop"]?.text, body["position"]?.integer)
            let draft = try known == nil ? NotebookDraft(body, paths) : nil
            return try Answer.json(
                try await slot.node.notebook.addStop(to: context.item, draft, known: known, position: position))
        }
        api.patch("notebook/:kind/:item/samples/:stop") { [slot, paths] request, context in
            try context.requireKind(.itinerary)
            let draft = try await NotebookDraft(request.notebookBody(), paths)
            return try Answer.json(try await slot.node.notebook.changeStop(context.stop, in: context.item, draft))
        }
        api.put("notebook/:kind/:item/samples/:stop") { [slot] request, context in
            try context.requireKind(.itinerary)
            struct Body: Decodable { var position: Int }
            let position = try await request.json(Body.self).position
            return try Answer.json(try await slot.node.notebook.moveStop(context.stop, in: context.item, to: position))
        }
        api.delete("notebook/:kind/:item/samples/:stop") { [slot] request, context in
            try context.requireKind(.itinerary)
            return try Answer.json(
                try await slot.node.notebook.dropStop(
                    context.stop, from: context.item, keeps: request.query("keep") == "true"))
        }
    }

    private static let itemsAtOnce = 256
    /// Enough for a note of the longest text with every letter escaped.
    fileprivate static let notebookRequestBytesMax =
        6 * (Limits.notebookTextBytesMax + Limits.notebookTitleBytesMax) * 2
}

extension NodeNotebook.ExchangeFormat {
    fileprivate var mediaType: String {
        switch self {
        case .json: "application/json"
        case .csv: "text/csv; charset=utf-8"
        case .gpx: "application/gpx+xml"
        }
    }
}

extension BasicRequestContext {
    /// The kind of item in the request's path.
    /// - Throws: `bad-request` for an unknown kind.
    var kind: NotebookKind {
        get throws(WebError) {
            guard let kind = parameters.get("kind").flatMap({ NotebookKind(rawValue: $0) }) else {
                throw WebError("bad-request", Phrase("There is no such kind of thing in a notebook."))
            }
            return kind
        }
    }

    /// - Throws: `bad-request` for another one.
    func requireKind(_ wanted: NotebookKind) throws(WebError) {
        guard try kind == wanted else {
            throw WebError("bad-request", Phrase("That is for \(wanted.rawValue) alone."))
        }
    }

    /// The item in the request's path.
    var item: String { decoded("item") }
    fileprivate var stop: String { decoded("stop") }

    private func decoded(_ name: String) -> String {
        parameters.get(name).map { $0.removingPercentEncoding ?? $0 } ?? ""
    }
}

extension Request {
    fileprivate func format<Format: RawRepresentable<String>>() throws(WebError) -> Format {
        guard let format = query("format").flatMap({ Format(rawValue: $0) }) else {
            throw WebError("bad-request", Phrase("There is no such format."))
        }
        return format
    }

    fileprivate var isOfPlaces: Bool { query("only") == "places" }

    fileprivate func notebookBytes() async throws -> ByteBufferView {
        try await body.collect(upTo: LocalAPI.notebookRequestBytesMax).readableBytesView
    }

    fileprivate func notebookBody() async throws -> JSON { try await JSON(parsing: notebookBytes()) }
}
