import Glibc
import HTTPTypes
import ServerBase
import TourGroup
import TourModel

/// Sealed files of tours: what arrives is in files of the data directory, what is whole in the storage of bytes, and
/// the database records how much of each is there. A blob belongs to the tour whose member sent it: two tours never
/// share one. Whoever writes, puts or removes a blob holds the lock of its file.
/// Source: `Protocol/10-server.md`, "Blobs".
package struct BlobStore: Sendable {
    private let storage: any Storage
    private let directory: ServerDirectory
    private let bytes: any BlobStorage

    /// Blobs in the folder `blobs` of a directory.
    /// - Parameter bytes: where whole ones are; nil: in the same folder.
    package init(storage: any Storage, directory: ServerDirectory, bytes: (any BlobStorage)? = nil) {
        self.storage = storage
        self.directory = directory
        self.bytes = bytes ?? DirectoryBlobs(directory: directory)
    }

    /// One blob of one tour.
    package struct Name: Hashable, Sendable {
        let tour: StoredTourName
        /// BLAKE2b-256 of the bytes, or the id by which members name the blob.
        package let hash: Bytes32

        package init(tour: StoredTourName, hash: Bytes32) {
            self.tour = tour
            self.hash = hash
        }
    }

    /// The names of a stored tour: its number in the database, and its id in the names of files.
    package struct StoredTourName: Hashable, Sendable {
        /// The tour's number.
        package let number: Int64
        let id: TourID

        package init(number: Int64, id: TourID) {
            self.number = number
            self.id = id
        }
    }

    /// How much of a blob the server has.
    package enum State: Sendable {
        case none
        /// The size of the part so far.
        case part(Int64)
        case whole(Int64)
    }

    /// How much there is of a blob.
    package func state(of name: Name) async throws(Failure) -> State {
        let row = try await storage.read { sql throws(Failure) in try BlobRows(sql: sql).blob(name) }
        guard let row else { return .none }
        if row.isWhole { return .whole(row.bytes) }
        let paths = [try partPath(name), try path(name)]
        return .part(
            try await BlobFile.onDisk { () throws(Failure) in
                for path in paths {
                    if let file = try BlobFile(reading: path) { return try file.size() }
                }
                return 0
            })
    }

    /// - Returns: nil while the blob is not whole.
    package func file(of name: Name) async throws(Failure) -> (file: any StoredBytes, bytes: Int64)? {
        let row = try await storage.read { sql throws(Failure) in try BlobRows(sql: sql).blob(name) }
        guard let row, row.isWhole else { return nil }
        guard let file = try await bytes.open(place(name)) else {
            throw Failure(.unavailable, cause: "the file of a blob is gone")
        }
        return (file, row.bytes)
    }

    /// A blob that a member is about to send or asks about.
    package struct Wish: Sendable {
        let member: Member
        /// The size of the whole blob.
        let bytes: Int64
        /// Whether the request carries bytes: a mere question reserves no room and does not renew the blob's time.
        let comes: Bool

        package init(member: Member, bytes: Int64, comes: Bool) {
            self.member = member
            self.bytes = bytes
            self.comes = comes
        }
    }

    /// Reserves room for a blob of that size.
    /// - Returns: whether the blob is whole already.
    /// - Throws: `quota` of the tour or of the member; `invalidField` for another size than before.
    package func begin(_ name: Name, _ wish: Wish, now: Int64) async throws(Failure) -> Bool {
        guard wish.comes else {
            return try await storage.read { sql throws(Failure) in try BlobRows(sql: sql).isWhole(name, wish) }
        }
        return try await storage.write { sql throws(Failure) in
            // A tour may be deleted while its members send.
            guard try sql.row("SELECT 1 FROM tours WHERE number = $1", [.integer(name.tour.number)]) != nil else {
                throw Failure(.notFound)
            }
            let rows = BlobRows(sql: sql)
            if try rows.isWhole(name, wish) { return true }
            if try rows.blob(name) == nil { try rows.addBlob(name, wish, now: now) }
            try rows.touch(name, now: now)
            return false
        }
    }

    /// Opens the part of a blob that is not whole, for one writer.
    /// - Returns: nil when the blob is whole: it may have become so after `begin`, and before its lock was taken.
    /// - Throws: `inProgress`; `unavailable`.
    package func part(_ name: Name) async throws(Failure) -> BlobFile? {
        let file = try await growing(name)
        let row = try await storage.read { sql throws(Failure) in try BlobRows(sql: sql).blob(name) }
        guard row?.isWhole == true else { return file }
        // Where files are not moved this one is new.
        if !bytes.movesFiles { try await BlobFile.onDisk { () throws(Failure) in try file.remove() } }
        return nil
    }

    /// Opens the file that is here, for one writer. The part has its final name already if the process ended before the
    /// database recorded the blob as whole.
    private func growing(_ name: Name) async throws(Failure) -> BlobFile {
        let (part, whole) = (try partPath(name), try path(name))
        return try await BlobFile.onDisk { () throws(Failure) in
            if let file = try BlobFile.growing(whole, isNew: false) { return file }
            guard let file = try BlobFile.growing(part, isNew: true) else {
                throw Failure(.unavailable, cause: "the folder of a tour's blobs is gone")
            }
            return file
        }
    }

    /// Completes a blob whose bytes are all here, if their hash is its name.
    /// - Throws: `wrongHash`, after which the blob is empty and begins again; `notFound` when the tour was deleted
    ///   while the blob came.
    package func finish(_ name: Name, _ file: BlobFile) async throws(Failure) {
        let place = place(name)
        let sealed = try await BlobFile.onDisk { () throws(Failure) -> [UInt8]? in
            try file.sync()
            let names = try file.names()
            guard names.content == name.hash || names.sealed?.blob.raw == name.hash else {
                try file.empty()
                throw Failure(.wrongHash, headers: [.uploadOffset: "0"])
            }
            return names.sealed.flatMap { $0.blob.raw == name.hash ? $0.chunkHashes : nil }
        }
        if let sealed { try await bytes.put(sealed, at: place + Self.chunksSuffix) }
        try await bytes.put(file, at: place)
        let isRecorded = try await storage.write { sql throws(Failure) in try BlobRows(sql: sql).finishBlob(name) }
        guard isRecorded else {
            // The sweep that removed the tour's blobs may have been before this one was put.
            try await removeLeft(name.hash, of: name.tour)
            throw Failure(.notFound)
        }
        // Only now: after a crash before, the blob goes on from what is here.
        guard !bytes.movesFiles else { return }
        try await BlobFile.onDisk { () throws(Failure) in try file.remove() }
    }

    /// Removes blobs that were begun and not continued.
    /// - Parameter now: microseconds since 1970.
    package func sweep(now: Int64) async throws(Failure) {
        let horizon = now / 1_000_000 - ServerLimits.blobPatience
        let names = try await storage.read { sql throws(Failure) in
            try BlobRows(sql: sql).blobsWithoutEnd(before: horizon)
        }
        for name in names {
            // A request that writes the blob at this moment keeps it.
            guard let file = try? await growing(name) else { continue }
            if !bytes.movesFiles {
                // It may have been put without its row. While the lock is held nobody completes it.
                let isLeft = try await storage.read { sql throws(Failure) in
                    try BlobRows(sql: sql).blob(name)?.isWhole == false
                }
                guard isLeft else { continue }
                try await removeWhole(name.hash, of: name.tour)
            }
            let isDropped = try await storage.write { sql throws(Failure) in
                try BlobRows(sql: sql).dropBlob(name, before: horizon)
            }
            if isDropped { try await BlobFile.onDisk { () throws(Failure) in try file.remove() } }
        }
        if !bytes.movesFiles { try await sweepParts() }
    }

    /// Removes the parts whose blob is whole elsewhere, or is no more: a process that ended in between has left them.
    private func sweepParts() async throws(Failure) {
        let directory = directory
        let found = try await BlobFile.onDisk { () throws(Failure) -> [(tour: TourID, hash: Bytes32, path: String)] in
            let parent = try directory.directory(Self.folderName)
            var parts = [(tour: TourID, hash: Bytes32, path: String)]()
            for name in try parent.names() {
                guard let tour = TourID(hex: name) else { continue }
                let folder = try parent.directory(name)
                for part in try folder.names() where part.hasSuffix(Self.partSuffix) {
                    guard let hash = Bytes32(hex: String(part.dropLast(Self.partSuffix.count))) else { continue }
                    parts.append((tour, hash, folder.file(part)))
                }
            }
            return parts
        }
        for (tour, hash, path) in found {
            let opened = try? await BlobFile.onDisk { () throws(Failure) in try BlobFile.growing(path, isNew: false) }
            guard let file = opened ?? nil else { continue }
            let isComing = try await storage.read { sql throws(Failure) in
                try BlobRows(sql: sql).isComing(hash, of: tour)
            }
            if !isComing { try await BlobFile.onDisk { () throws(Failure) in try file.remove() } }
        }
    }

    private func removeWhole(_ hash: Bytes32, of tour: StoredTourName) async throws(Failure) {
        let place = Self.place(of: hash, in: tour.id)
        for ending in [Self.chunksSuffix, ""] { try await bytes.remove(place + ending) }
    }

    /// Removes what a deleted tour has left of a blob whose lock the caller holds, unless the same tour has it again,
    /// registered anew.
    private func removeLeft(_ hash: Bytes32, of tour: StoredTourName) async throws(Failure) {
        let isKept = try await storage.read { sql throws(Failure) in
            try BlobRows(sql: sql).hasBlob(hash, of: tour.id)
        }
        guard !isKept else { return }
        if !bytes.movesFiles { try await removeWhole(hash, of: tour) }
        let folder = try folder(tour)
        try await BlobFile.onDisk { () throws(Failure) in
            for ending in [Self.chunksSuffix, Self.partSuffix, ""] { try folder.remove(hash.hex + ending) }
            // Fails where there are others.
            _ = rmdir(folder.path)
        }
    }

    /// Removes the files of a deleted tour's blobs, and the folder once it is empty. Those stay that the same tour has
    /// again, registered anew.
    /// - Returns: false while a request writes one of them: the next sweep goes on.
    package func removeFiles(of tour: StoredTourName) async throws(Failure) -> Bool {
        let directory = directory
        let found = try await BlobFile.onDisk { () throws(Failure) -> (folder: ServerDirectory, names: [String])? in
            let parent = try directory.directory(Self.folderName)
            guard try parent.names().contains(tour.id.hex) else { return nil }
            let folder = try parent.directory(tour.id.hex)
            return (folder, try folder.names())
        }
        var names = found?.names ?? []
        if !bytes.movesFiles {
            names += try await bytes.places(below: "\(Self.folderName)/\(tour.id.hex)/")
                .compactMap { $0.split(separator: "/").last.map(String.init) }
        }
        guard found != nil || !names.isEmpty else { return true }
        let folder = try folder(tour)
        let hashes = Set(names.compactMap { Bytes32(hex: String($0.prefix(Bytes32.count * 2))) })
        var isDone = true
        for hash in hashes.sorted(by: { $0.hex < $1.hex }) {
            // A sender writes its row first, then takes this lock: what has no row now gets none while it is held.
            guard let lock = try? await growing(Name(tour: tour, hash: hash)) else {
                isDone = false
                continue
            }
            defer { withExtendedLifetime(lock) {} }
            try await removeLeft(hash, of: tour)
        }
        // Fails where the tour was registered again and has files.
        try await BlobFile.onDisk { () throws(Failure) in _ = rmdir(folder.path) }
        return isDone
    }

    /// The hashes of a blob's chunks, in order, 32 bytes each.
    /// - Returns: nil while the blob is not whole, and for a blob that is not named by its members' id.
    package func chunkHashes(of name: Name) async throws(Failure) -> [UInt8]? {
        guard try await file(of: name) != nil else { return nil }
        guard let file = try await bytes.open(place(name) + Self.chunksSuffix) else { return nil }
        do {
            var hashes = [UInt8]()
            try await file.read(0..<file.size()) { hashes += $0 }
            return hashes
        } catch {
            throw error as? Failure ?? Failure(.unavailable, cause: "the hashes of a blob cannot be read")
        }
    }

    /// In the data directory.
    package static let folderName = "blobs"
    /// Ends the name of the file with the hashes of a blob's chunks.
    package static let chunksSuffix = ".chunks"
    private static let partSuffix = ".part"

    private func folder(_ tour: StoredTourName) throws(Failure) -> ServerDirectory {
        try directory.directory(Self.folderName).directory(tour.id.hex)
    }

    /// Where a whole blob is, below the data directory.
    package static func place(of hash: Bytes32, in tour: TourID) -> String { "\(folderName)/\(tour.hex)/\(hash.hex)" }

    private func place(_ name: Name) -> String { Self.place(of: name.hash, in: name.tour.id) }
    private func path(_ name: Name) throws(Failure) -> String { try folder(name.tour).file(name.hash.hex) }
    private func partPath(_ name: Name) throws(Failure) -> String { try path(name) + Self.partSuffix }
}

/// The rows of blobs, inside one transaction.
private struct BlobRows {
    let sql: any SQL

    /// Whether a tour with this id, whichever its number, has such a blob or part.
    func hasBlob(_ hash: Bytes32, of tour: TourID) throws(Failure) -> Bool {
        try sql.row(
            "SELECT 1 FROM blobs JOIN tours ON tours.number = blobs.tour WHERE tours.id = $1 AND blobs.hash = $2",
            [.bytes(tour.bytes), .bytes(hash.bytes)]) != nil
    }

    /// Whether a tour with this id has such a blob that is not whole.
    func isComing(_ hash: Bytes32, of tour: TourID) throws(Failure) -> Bool {
        try sql.row(
            """
            SELECT 1 FROM blobs JOIN tours ON tours.number = blobs.tour
            WHERE tours.id = $1 AND blobs.hash = $2 AND blobs.is_whole = 0
            """, [.bytes(tour.bytes), .bytes(hash.bytes)]) != nil
    }

    func blob(_ name: BlobStore.Name) throws(Failure) -> (bytes: Int64, isWhole: Bool)? {
        let row = try sql.row(
            "SELECT bytes, is_whole FROM blobs WHERE tour = $1 AND hash = $2",
            [.integer(name.tour.number), .bytes(name.hash.bytes)])
        return try row.map { row throws(Failure) in (try row.count(0), try row.integer(1) != 0) }
    }

    /// - Throws: `quota` for a new blob without room; `invalidField` for another size than before.
    func isWhole(_ name: BlobStore.Name, _ wish: BlobStore.Wish) throws(Failure) -> Bool {
        if let row = try blob(name) {
            guard row.bytes == wish.bytes else { throw .invalid("Content-Range") }
            return row.isWhole
        }
        let bytes = max(wish.bytes, ServerLimits.blobBytesMin)
        let all = try blobRoom("tour = $1", [.integer(name.tour.number)])
        guard all + bytes <= ServerLimits.tourBlobBytesMax else { throw Failure(.quota) }
        // A member that leads answers for the tour, and may use all of its room.
        guard !wish.member.rank.leads else { return false }
        let own: [SQLValue] = [.integer(name.tour.number), .bytes(wish.member.id.bytes)]
        let begun = try blobRoom("tour = $1 AND member = $2 AND is_whole = 0", own)
        guard try blobRoom("tour = $1 AND member = $2", own) + bytes <= ServerLimits.memberBlobBytesMax,
            begun + bytes <= ServerLimits.memberBlobBytesBegunMax
        else { throw Failure(.quota) }
        return false
    }

    private func blobRoom(_ condition: String, _ values: [SQLValue]) throws(Failure) -> Int64 {
        let least = ServerLimits.blobBytesMin
        return try sql.row(
            """
            SELECT CAST(COALESCE(SUM(CASE WHEN bytes < \(least) THEN \(least) ELSE bytes END), 0) AS BIGINT)
            FROM blobs WHERE \(condition)
            """, values)?.count(0) ?? 0
    }

    func addBlob(_ name: BlobStore.Name, _ wish: BlobStore.Wish, now: Int64) throws(Failure) {
        try sql.run(
            "INSERT INTO blobs (tour, hash, bytes, is_whole, touched, member) VALUES ($1, $2, $3, 0, $4, $5)",
            [
                .integer(name.tour.number), .bytes(name.hash.bytes), .integer(wish.bytes),
                .integer(now / 1_000_000), .bytes(wish.member.id.bytes),
            ])
    }

    func touch(_ name: BlobStore.Name, now: Int64) throws(Failure) {
        try sql.run(
            "UPDATE blobs SET touched = $1 WHERE tour = $2 AND hash = $3",
            [.integer(now / 1_000_000), .integer(name.tour.number), .bytes(name.hash.bytes)])
    }

    /// - Returns: false when the blob's tour was deleted meanwhile.
    func finishBlob(_ name: BlobStore.Name) throws(Failure) -> Bool {
        try sql.run(
            "UPDATE blobs SET is_whole = 1 WHERE tour = $1 AND hash = $2",
            [.integer(name.tour.number), .bytes(name.hash.bytes)]) > 0
    }

    /// - Parameter horizon: seconds since 1970.
    func blobsWithoutEnd(before horizon: Int64) throws(Failure) -> [BlobStore.Name] {
        let found = try sql.rows(
            """
            SELECT tours.number, tours.id, blobs.hash FROM blobs JOIN tours ON tours.number = blobs.tour
            WHERE blobs.is_whole = 0 AND blobs.touched < $1 ORDER BY blobs.touched
            """, [.integer(horizon)])
        var names = [BlobStore.Name]()
        for row in found {
            guard let hash = Bytes32(try row.bytes(2)) else { continue }
            let tour = BlobStore.StoredTourName(number: try row.integer(0), id: try row.identifier(1))
            names.append(BlobStore.Name(tour: tour, hash: hash))
        }
        return names
    }

    /// - Returns: false when a request has continued the blob meanwhile.
    func dropBlob(_ name: BlobStore.Name, before horizon: Int64) throws(Failure) -> Bool {
        try sql.run(
            "DELETE FROM blobs WHERE tour = $1 AND hash = $2 AND is_whole = 0 AND touched < $3",
            [.integer(name.tour.number), .bytes(name.hash.bytes), .integer(horizon)]) > 0
    }
}

extension HTTPField.Name {
    /// How many bytes of a blob the server has.
    package static let uploadOffset = Self("Upload-Offset")!
}
