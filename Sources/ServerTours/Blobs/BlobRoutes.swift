import HTTPTypes
import HummingbirdCore
import NIOCore
import ServerBase
import ServerRequests
import ServerStorage
import TourGroup
import TourModel

/// Routes that receive and send sealed files, in pieces.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct BlobRoutes: Sendable {
    let parts: RequestParts
    let rosters: TourRosters
    let blobs: BlobStore

    var routes: [Route] {
        [
            Route(.get, "/blobs/{hash}", access: .member, handler: fetch),
            Route(.get, "/blobs/{hash}/chunks", access: .member, handler: chunks),
            Route(.put, "/blobs/{hash}", access: .member, body: .stream, keepsAnswers: false, handler: receive),
        ]
    }

    private func fetch(_ call: Call) async throws(Failure) -> Answer {
        let place = try parts.places.files.place(for: call.callerName, at: call.address)
        let name = try await named(call).name
        guard let (file, bytes) = try await blobs.file(of: name) else {
            guard case .part(let offset) = try await blobs.state(of: name) else { throw Failure(.notFound) }
            throw Failure(.notFound, headers: [.uploadOffset: String(offset)])
        }
        let placed = PlacedBytes(bytes: file, place: place)
        return try .file(placed, bytes: bytes, mark: "\"\(name.hash.hex)\"", to: call.head)
    }

    private func chunks(_ call: Call) async throws(Failure) -> Answer {
        guard let hashes = try await blobs.chunkHashes(of: try await named(call).name) else {
            throw Failure(.notFound)
        }
        return Answer(.ok, content: .bytes(hashes, type: "application/octet-stream"))
    }

    private func receive(_ call: Call) async throws(Failure) -> Answer {
        let (name, member) = try await named(call)
        let piece = try Self.piece(call.head.headerFields)
        let blobs = blobs
        let wish = BlobStore.Wish(member: member, bytes: piece.total, comes: piece.range != nil)
        guard try await !blobs.begin(name, wish, now: call.now) else {
            return Answer(.ok, headers: [.uploadOffset: String(piece.total)])
        }
        if piece.range == nil, case .none = try await blobs.state(of: name) {
            return Answer(.accepted, headers: [.uploadOffset: "0"])
        }
        guard let file = try await blobs.part(name) else {
            // Another request has completed it since.
            return Answer(.ok, headers: [.uploadOffset: String(piece.total)])
        }
        var offset = try await BlobFile.onDisk { () throws(Failure) in try file.size() }
        if let range = piece.range, offset < piece.total || range.lowerBound == 0 {
            // A body without a range, or from byte 0 on, begins the blob again.
            if range.lowerBound == 0, offset > 0 {
                try await BlobFile.onDisk { () throws(Failure) in try file.empty() }
                offset = 0
            }
            guard range.lowerBound == offset else {
                throw Failure(.wrongOffset, headers: [.uploadOffset: String(offset)])
            }
            offset = try await Self.write(call.stream, range, to: file)
            try await requireStillIn(call)
        }
        guard offset == piece.total else { return Answer(.accepted, headers: [.uploadOffset: String(offset)]) }
        try await blobs.finish(name, file)
        return Answer(.created, headers: [.uploadOffset: String(offset)])
    }

    /// - Throws: `invalidField` for a wrong Content-Range or Content-Length; `tooLarge`; `unsupportedMediaType`.
    private static func piece(_ headers: HTTPFields) throws(Failure) -> ByteRange.Piece {
        guard headers[.contentEncoding] == nil else { throw Failure(.unsupportedMediaType) }
        let piece: ByteRange.Piece
        if let text = headers[.contentRange] {
            guard let read = ByteRange.Piece(contentRange: text) else { throw .invalid("Content-Range") }
            piece = read
        } else {
            guard let length = headers[.contentLength].flatMap({ Int64($0) }), length > 0 else {
                throw .invalid("Content-Length")
            }
            piece = ByteRange.Piece(whole: length)
        }
        guard piece.total > 0 else { throw .invalid("Content-Length") }
        guard piece.total <= ServerLimits.blobBytesMax else { throw Failure(.tooLarge) }
        return piece
    }

    /// Writes a piece while it arrives; if the client disconnects, the bytes that arrived stay.
    /// - Returns: how many bytes of the blob are here, all of them flushed to the disk.
    /// - Throws: `tooLarge` for more bytes than the piece announces; `badRequest` when the client disconnects;
    ///   `unavailable`.
    private static func write(
        _ stream: RequestBody, _ range: Range<Int64>, to file: BlobFile
    ) async throws(Failure) -> Int64 {
        var offset = range.lowerBound
        var synced = offset
        do {
            for try await buffer in stream {
                let bytes = Array(buffer.readableBytesView)
                guard offset + Int64(bytes.count) <= range.upperBound else { throw Failure(.tooLarge) }
                let place = offset
                offset += Int64(bytes.count)
                let isDue = offset - synced >= ServerLimits.blobSyncBytes
                if isDue { synced = offset }
                try await BlobFile.onDisk { () throws(Failure) in
                    try file.write(bytes, at: place)
                    if isDue { try file.sync() }
                }
            }
        } catch {
            try await BlobFile.onDisk { () throws(Failure) in try file.sync() }
            throw error as? Failure ?? Failure(.badRequest)
        }
        try await BlobFile.onDisk { () throws(Failure) in try file.sync() }
        return offset
    }

    /// Looks once more, behind the bytes, whether the caller is a member: what came stays for others to go on with.
    /// - Throws: the errors of `named` and of `RequestParts.requireStillOpen`.
    private func requireStillIn(_ call: Call) async throws(Failure) {
        let parts = parts
        if let account = call.account {
            try await parts.storage.lookUp { sql throws(Failure) in
                try parts.requireStillOpen(account, call, in: sql)
            }
        }
        do throws(Failure) {
            _ = try await named(call)
        } catch {
            // `BlobStore.finish` removes what came of a deleted tour.
            guard error.code == .notFound else { throw error }
        }
    }

    /// The blob that the path names, in the tour of the query or of the member's token, and the requesting member.
    private func named(_ call: Call) async throws(Failure) -> (name: BlobStore.Name, member: Member) {
        guard let hash = Bytes32(hex: call.parameters["hash"] ?? "") else { throw Failure(.notFound) }
        guard let group = call.query("group") ?? call.member?.tour.hex else { throw .invalid("group") }
        let caller = try await call.caller(in: group, rosters)
        let tour = BlobStore.StoredTourName(number: caller.tour.number, id: caller.tour.id)
        return (BlobStore.Name(tour: tour, hash: hash), caller.member)
    }
}
