import NIOHTTP1
import ServerBase
import TourCrypto
import TourCurl
import TourModel

/// Bytes in a bucket of an S3-compatible service, each object named by its place. One request puts an object whole or
/// not at all: no file here is as large as those that must come in parts, so nothing is ever left half sent.
package struct S3Blobs: BlobStorage {
    private let service: S3Service

    /// The bucket that the operator names.
    /// - Parameter transport: nil: the one of the process.
    /// - Throws: `unavailable`, with a sentence for the operator.
    package init(_ options: S3Options, transport: (any HTTPTransport)? = nil) throws(Failure) {
        service = try S3Service(place: try S3Place(options), transport: transport)
    }

    /// A transport like that of the process.
    /// - Parameter idle: how long the service may neither send nor accept a byte.
    package static func makeTransport(idle: Duration) throws(TransferError) -> CurlTransport {
        try S3Service.makeTransport(idle: idle)
    }

    /// See `BlobStorage.movesFiles`.
    package var movesFiles: Bool { false }

    /// See `BlobStorage.put`.
    package func put(_ file: BlobFile, at place: String) async throws(Failure) {
        let (size, hash) = try await BlobFile.onDisk { () throws(Failure) in
            let size = try file.size()
            var (hash, offset) = (SHA256(), Int64(0))
            while offset < size {
                let piece = try file.read(at: offset, count: ServerLimits.s3PieceBytes)
                guard !piece.isEmpty else { throw Failure(.unavailable, cause: "the file of a blob is cut off") }
                hash.update(piece)
                offset += Int64(piece.count)
            }
            return (size, Hex.encode(hash.finish()))
        }
        try await service.put(place, .file(file, size, hash: hash))
    }

    /// See `BlobStorage.put`.
    package func put(_ bytes: [UInt8], at place: String) async throws(Failure) {
        try await service.put(place, .bytes(bytes))
    }

    /// See `BlobStorage.open`.
    package func open(_ place: String) async throws(Failure) -> (any StoredBytes)? {
        let reply = try await service.send(.HEAD, place)
        if reply.status == 404 {
            // It has no body that says whose answer it is.
            guard try await service.send(.GET, place, range: 0..<1).status == 404 else {
                throw service.away("it does and does not have \(place)")
            }
            return nil
        }
        guard let bytes = reply.headers["content-length"].first.flatMap({ Int64($0) }), bytes >= 0 else {
            throw Failure(.unavailable, cause: "the S3 service does not say how long \(place) is")
        }
        return S3Object(service: service, place: place, bytes: bytes)
    }

    /// See `BlobStorage.remove`.
    package func remove(_ place: String) async throws(Failure) { _ = try await service.send(.DELETE, place) }

    /// See `BlobStorage.places`.
    package func places(below start: String) async throws(Failure) -> [String] {
        let prefix = service.place.prefix
        var places = [String]()
        while true {
            let page = try await keys(below: prefix + start, after: places.last.map { prefix + $0 })
            guard !page.isEmpty else { return places.sorted() }
            for key in page {
                // Each page begins behind the last one, or this would never end.
                guard key.hasPrefix(prefix + start), places.last.map({ prefix + $0 < key }) ?? true else {
                    throw Failure(.unavailable, cause: "the S3 service lists what it was not asked for")
                }
                places.append(String(key.dropFirst(prefix.count)))
            }
        }
    }

    /// See `BlobStorage.roomLeft`.
    package func roomLeft() async throws(Failure) -> UInt64? {
        _ = try await keys(below: service.place.prefix, after: nil, max: 1)
        return nil
    }

    /// One page of the bucket's names, in order. Ours need no escaping, and others are of no use.
    /// Source: Amazon S3, "ListObjectsV2".
    private func keys(below prefix: String, after: String?, max: Int = 1_000) async throws(Failure) -> [String] {
        var query: [(name: String, value: String)] = [
            ("list-type", "2"), ("max-keys", String(max)), ("prefix", prefix),
        ]
        if let after { query.append(("start-after", after)) }
        let reply = try await service.send(.GET, nil, query: query)
        let text = String(decoding: reply.body, as: UTF8.self)
        // Something else that answers has no names, and no list of none either.
        guard text.contains("<ListBucketResult") else { throw service.away("it answers without a list") }
        return text.matches(of: /<Key>([A-Za-z0-9._\/-]{1,1024})<\/Key>/)
            .map { String($0.1) }
    }
}

/// An object of a bucket.
private struct S3Object: StoredBytes {
    let service: S3Service
    let place: String
    let bytes: Int64

    func size() throws(Failure) -> Int64 { bytes }

    // Piece by piece: a slow reader holds no connection to the service, and one that breaks costs a piece.
    func read(_ range: Range<Int64>, _ take: ([UInt8]) async throws -> Void) async throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let end = min(offset + Int64(ServerLimits.s3PieceBytes), range.upperBound)
            let reply = try await service.send(.GET, place, range: offset..<end, bytesMax: ServerLimits.s3PieceBytes)
            guard reply.status == 206, reply.body.count == Int(end - offset) else {
                throw Failure(.unavailable, cause: "the S3 service has lost \(place), or a part of it")
            }
            try await take(reply.body)
            offset = end
        }
    }
}
