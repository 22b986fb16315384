import Foundation
import ServerBase
import ServerStorage
import TourModel

/// What a backup says about itself, in the file `manifest.json`.
package struct BackupManifest: Codable, Hashable, Sendable {
    /// The file's place in a backup.
    static let place = "manifest.json"
    /// What is written and understood here.
    static let formatKnown = 1
    static let bytesMax = 64 * 1024 * 1024

    /// The form of the backup.
    package var format = Self.formatKnown
    /// The version of the program that made it.
    package var version = ProgramVersion.text
    /// When its state was the server's, by RFC 3339.
    package var made: String
    /// The database that it was made of: `sqlite` or `postgresql`.
    package var engine: String
    /// The steps of the schema that its database has, sorted.
    package var steps: [String]
    /// How many rows each table has.
    package var rows: [String: Int64]
    /// How many blobs of tours and files of notebooks it holds, with what belongs to them.
    package var files: Int
    /// The size of the backup's other files in bytes.
    package var bytes: Int64
    /// The places of files that the database names, and that the server had lost or damaged before.
    package var missing: [String]

    /// The form in which it is stored, and printed by `--json`.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ((try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}")
    }

    init(
        made: String, engine: String, steps: [String], rows: [String: Int64], files: Int, bytes: Int64,
        missing: [String]
    ) {
        self.made = made
        self.engine = engine
        self.steps = steps
        self.rows = rows
        self.files = files
        self.bytes = bytes
        self.missing = missing
    }

    /// What is read of every form, also of later ones.
    private struct Head: Decodable {
        var format: Int
        var version: String
        var steps: [String]?
    }

    /// - Throws: `newerDatabase` for a backup that a later version has made; `unavailable`.
    init(_ bytes: [UInt8]) throws(Failure) {
        let damaged = Failure(.unavailable, cause: "the backup's \(Self.place) is damaged")
        guard let head = try? JSONDecoder().decode(Head.self, from: Data(bytes)) else { throw damaged }
        let known = Set(Migration.all.map(\.name))
        guard head.format <= Self.formatKnown, Set(head.steps ?? []).isSubset(of: known) else {
            throw Failure(
                .newerDatabase,
                cause: "a later version of tour-server, \(head.version), has made this backup, and this one is "
                    + "\(ProgramVersion.text): install that version, then restore")
        }
        guard let manifest = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { throw damaged }
        self = manifest
    }
}
