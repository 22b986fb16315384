import Foundation
import TourModel
import TourNotebook

/// Saved places that an app sends; with files only if there is exactly one.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct UpsertRequest: Decodable, Sendable {
    let device: String?
    let entries: [DeltaEntry]

    private enum CodingKeys: String, CodingKey { case device, bookmarks }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        guard fields.contains(.bookmarks) else {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no saved places")
            throw DecodingError.keyNotFound(CodingKeys.bookmarks, context)
        }
        device = try DeltaRequest.device(fields.decodeIfPresent(String.self, forKey: .device))
        entries = try DeltaEntry.all(in: decoder, kinds: [.place])
        guard entries.count <= ServerLimits.deltaItemsMax else { throw Failure(.tooLarge) }
    }

    init(_ body: Data) throws(Failure) {
        do {
            self = try JSONForm.decoder.decode(UpsertRequest.self, from: body)
        } catch {
            throw Failure(reading: error)
        }
    }
}

/// One upsert in one transaction.
struct Upsert: Sendable {
    let request: UpsertRequest
    let pictures: [UploadReader.Part]
    let file: UploadReader.Part?

    private var hasParts: Bool { !pictures.isEmpty || file != nil }

    /// - Returns: the saved places in their new state, without those that were deleted before.
    /// - Throws: `invalidField` for a place that is not valid, and for several places with files; `notFound` for files
    ///   of a deleted place; `quota`. Nothing is stored then.
    func run(in writing: inout NotebookWriting) throws(Failure) -> [NotebookRow] {
        guard !hasParts || request.entries.count == 1 else { throw .invalid("bookmarks") }
        let last = writing.last
        // Applies the rules of a delta, one that asks for no changes.
        let delta = DeltaRequest(
            cursor: last, device: request.device, limit: 1, kinds: [], entries: request.entries, deletions: [])
        if let rejection = try Delta.run(delta, in: &writing).rejected.first { throw rejection.failure }
        var rows = [NotebookRow]()
        var seen = Set<NotebookID>()
        for entry in request.entries {
            guard let id = entry.id.flatMap({ NotebookID($0) }), seen.insert(id).inserted,
                let row = try writing.held(id), !row.isDeleted
            else { continue }
            rows.append(try attach(to: row, isNew: row.stamp > last, in: &writing))
        }
        guard !hasParts || !rows.isEmpty else { throw Failure(.notFound) }
        return rows
    }

    /// - Parameter isNew: whether this request wrote the row: then no device has seen the version without its files.
    private func attach(
        to row: NotebookRow, isNew: Bool, in writing: inout NotebookWriting
    ) throws(Failure) -> NotebookRow {
        guard hasParts, var place = try row.content().savedPlace else { return row }
        let before = place
        // Bytes that are here already are not stored twice: a client repeats a request whose answer it lost. Two equal
        // pictures in one request stay two.
        var there = Set(place.imageURLs.compactMap { FileAddress($0)?.id })
        for picture in pictures {
            if let known = try writing.sql.files(there, with: picture.hash) {
                there.remove(known)
            } else {
                place.imageURLs.append(FileAddress(picture.id).path)
            }
        }
        guard place.imageURLs.count <= Limits.notebookPicturesMax else { throw .invalid("images") }
        if let file {
            let named = Set([place.fileURL.flatMap { FileAddress($0)?.id }].compactMap(\.self))
            if try writing.sql.files(named, with: file.hash) == nil { place.fileURL = FileAddress(file.id).path }
        }
        guard place != before else { return row }
        let change = NotebookWriting.Change(
            id: row.id, kind: .place, body: try NotebookBody.text(of: .place(place)),
            version: isNew ? row.version : row.version + 1, writer: isNew ? row.writer : nil, created: row.created,
            updated: writing.seconds)
        return try writing.put(change, over: row)
    }
}
