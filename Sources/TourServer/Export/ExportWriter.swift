import Foundation
import ServerRequests
import ServerStorage
import TourCrypto
import TourModel

/// Takes the bytes of an export in their order, and returns once there is room for more.
protocol ByteSink {
    mutating func write(bytes: [UInt8]) async throws
}

extension PieceWriter: ByteSink {}

/// Writes an export as a tar archive, one file after the other. Of what it has written it keeps the names and hashes of
/// documents alone, for the manifest.
struct ExportWriter {
    private var sink: any ByteSink
    /// Seconds since 1970.
    private let modified: Int64
    private var manifest: ExportManifest

    /// - Parameter manifest: nothing is written yet.
    init(_ sink: any ByteSink, manifest: ExportManifest) {
        self.sink = sink
        self.manifest = manifest
        modified = Int64(manifest.exportedAt.timeIntervalSince1970)
    }

    /// Adds a document of one JSON value.
    mutating func add(_ name: String, json value: some Encodable) async throws {
        try await add(name, bytes: Array(try JSONForm.encoder.encode(value)))
    }

    /// Adds a document of a few bytes.
    mutating func add(_ name: String, bytes: [UInt8]) async throws {
        try await write(name, bytes)
        manifest.documents.append(ExportManifest.Document(name: name, bytes))
    }

    /// Adds a list as one document for each part that `next` returns, `NAME-0001.json` and so on: at least one, so that
    /// an empty list is seen to be empty.
    /// - Parameter next: nil at the end.
    mutating func add<Row: Encodable>(
        list name: String, _ next: () async throws -> [Row]?
    ) async throws {
        var number = 0
        while let rows = try await next() {
            number += 1
            try await add(list: name, part: number, rows)
        }
        if number == 0 { try await add(list: name, part: 1, [Row]()) }
    }

    /// Adds one part of a list.
    /// - Parameter number: from 1.
    mutating func add(list name: String, part number: Int, _ rows: [some Encodable]) async throws {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(4 - digits.count, 0)) + digits
        try await add("\(name)-\(padded).json", json: rows)
    }

    /// Adds the content of a file as it is.
    /// - Parameter bytes: the size of the file.
    /// - Throws: `unavailable` where the file ends before: then the archive ends in the middle.
    mutating func add(_ name: String, file: any StoredBytes, bytes: Int64) async throws {
        try await sink.write(bytes: TarHeader(name: name, size: bytes, modified: modified).bytes)
        try await file.read(0..<bytes) { piece in try await sink.write(bytes: piece) }
        try await sink.write(bytes: TarHeader.padding(bytes))
        manifest.files += 1
        manifest.fileBytes += bytes
    }

    /// Says that the server has lost a file that it should have.
    mutating func miss(_ name: String) { manifest.missing.append(name) }

    /// Writes the manifest, and the end of the archive.
    /// - Returns: the names of files that the server has lost.
    mutating func finish() async throws -> [String] {
        try await write(ExportManifest.place, Array(try JSONForm.encoder.encode(manifest)))
        try await sink.write(bytes: TarHeader.end)
        return manifest.missing
    }

    private mutating func write(_ name: String, _ bytes: [UInt8]) async throws {
        let size = Int64(bytes.count)
        let head = TarHeader(name: name, size: size, modified: modified).bytes
        try await sink.write(bytes: head + bytes + TarHeader.padding(size))
    }
}

/// What an export says about itself in its last file, without which it is not whole.
struct ExportManifest: Encodable, Sendable {
    static let place = "manifest.json"

    /// One document of the export.
    struct Document: Encodable, Sendable {
        let name: String
        let bytes: Int
        /// BLAKE2b-256 of the document, as `b2sum --length 256` prints it.
        let blake2b: String

        init(name: String, _ content: [UInt8]) {
            self.name = name
            bytes = content.count
            var next: [UInt8]? = content
            blake2b =
                ContentHash.of {
                    defer { next = nil }
                    return next
                }.hex
        }
    }

    let format = "tour-server-export"
    /// What later versions change in the form of documents that are here already.
    let version = 1
    let account: Int64
    let exportedAt: Date
    var documents: [Document] = []
    /// How many pictures and files it holds, and their size in bytes.
    var files = 0
    var fileBytes: Int64 = 0
    /// The names of those that the server has lost.
    var missing: [String] = []

    init(account: Int64, exportedAt: Date) {
        self.account = account
        self.exportedAt = exportedAt
    }

    private enum CodingKeys: String, CodingKey {
        case format, version, account, documents, files, missing
        case exportedAt = "exported_at"
        case fileBytes = "file_bytes"
    }
}
