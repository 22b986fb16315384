import Foundation
import ServerBase
import ServerRequests
import TourModel
import TourNotebook

/// Saved places that an app sends; with files only if there is exactly one.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct UpsertRequest: Decodable, Sendable {
    let device: String?
    /// A malformed place does not end the reading: it is rejected in its turn.
    let places: [Result<ItemRequest, ItemRejection>]

    private enum CodingKeys: String, CodingKey {
        case device
        case places = "bookmarks"
    }

    /// The field of the places.
    static let placesField = CodingKeys.places.rawValue

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        guard fields.contains(.places) else {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no saved places")
            throw DecodingError.keyNotFound(CodingKeys.places, context)
        }
        device = try DeltaRequest.device(fields.decodeIfPresent(String.self, forKey: .device))
        places = try ItemRequest.all(in: decoder, kinds: [.place])
        guard places.count <= ServerLimits.deltaItemsMax else { throw Failure(.tooLarge) }
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
    func run(in transaction: inout NotebookTransaction) throws(Failure) -> [NotebookRow] {
        guard !hasParts || request.places.count == 1 else { throw .invalid(UpsertRequest.placesField) }
        let last = transaction.last
        var ids = [NotebookID]()
        var rows: [NotebookID: NotebookRow] = [:]
        for place in request.places {
            let row = try apply(place, in: &transaction)
            // A place that the request names twice is answered once.
            if rows.updateValue(row, forKey: row.id) == nil { ids.append(row.id) }
        }
        var places = [NotebookRow]()
        for row in ids.compactMap({ rows[$0] }) where !row.isDeleted {
            places.append(try attach(to: row, isNew: row.stamp > last, in: &transaction))
        }
        guard !hasParts || !places.isEmpty else { throw Failure(.notFound) }
        return places
    }

    private func apply(
        _ place: Result<ItemRequest, ItemRejection>, in transaction: inout NotebookTransaction
    ) throws(Failure) -> NotebookRow {
        let item: ItemRequest
        do throws(ItemRejection) {
            item = try place.get()
        } catch {
            throw error.failure
        }
        // Devices receive an edit that lost by their next delta.
        var lost = [NotebookRow]()
        return try transaction.apply(item, from: request.device, lost: &lost).row
    }

    /// - Parameter isNew: whether this request wrote the row: then no device has seen the version without its files.
    private func attach(
        to row: NotebookRow, isNew: Bool, in transaction: inout NotebookTransaction
    ) throws(Failure) -> NotebookRow {
        guard hasParts else { return row }
        var item = try row.item()
        guard var place = item.content.savedPlace else { return row }
        let before = place
        let files = NotebookFileRows(sql: transaction.sql)
        // Bytes that are here already are not stored twice: a client repeats a request whose answer it lost. Two equal
        // pictures in one request stay two.
        var there = Set(place.imageURLs.compactMap { FileAddress($0)?.id })
        for picture in pictures {
            if let known = try files.first(of: there, with: picture.hash) {
                there.remove(known)
            } else {
                place.imageURLs.append(FileAddress(picture.id).path)
            }
        }
        guard place.imageURLs.count <= Limits.notebookPicturesMax else { throw .invalid("images") }
        if let file {
            let named = Set([place.fileURL.flatMap { FileAddress($0)?.id }].compactMap(\.self))
            if try files.first(of: named, with: file.hash) == nil { place.fileURL = FileAddress(file.id).path }
        }
        guard place != before else { return row }
        item.content = .place(place)
        item.updatedAt = transaction.seconds
        if !isNew { item.version += 1 }
        // A writer that adds a picture to its own item has seen what was there, also where the answer is lost.
        let writer = request.device ?? transaction.notebook.session
        return try transaction.put(item, by: isNew || row.writer == writer ? row.writer : nil, over: row)
    }
}
