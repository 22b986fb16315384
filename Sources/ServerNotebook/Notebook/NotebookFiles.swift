import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import TourCrypto
import TourModel
import TourNotebook

/// The bytes of notebooks' pictures and files: in files of the data directory named by their ids, in 256 folders, and
/// once they are whole in the storage of bytes. The database describes them.
/// Source: `Protocol/10-server.md`, "Notebooks".
package struct NotebookFiles: Sendable {
    private let storage: any Storage
    private let directory: ServerDirectory
    private let bytes: any BlobStorage
    private let room: NotebooksRoom

    /// Files in the folder `files` of a directory.
    /// - Parameter bytes: where whole ones are; nil: in the same folder.
    /// - Parameter room: what all notebooks take.
    package init(
        storage: any Storage, directory: ServerDirectory, bytes: (any BlobStorage)? = nil,
        room: NotebooksRoom = NotebooksRoom()
    ) {
        self.room = room
        self.storage = storage
        self.directory = directory
        self.bytes = bytes ?? DirectoryBlobs(directory: directory)
    }

    /// In the data directory.
    package static let folderName = "files"

    /// Where a file is, below the data directory.
    package static func place(of id: NotebookID) -> String { "\(folderName)/\(id.digits.prefix(2))/\(id.digits)" }

    private func folder(_ id: NotebookID) throws(Failure) -> ServerDirectory {
        try directory.directory(Self.folderName).directory(String(id.digits.prefix(2)))
    }

    private func path(_ id: NotebookID) throws(Failure) -> String { try folder(id).file(id.digits) }

    /// - Throws: `unavailable` when the file is missing.
    func open(_ id: NotebookID) async throws(Failure) -> any StoredBytes {
        guard let file = try await openIfThere(id) else {
            throw Failure(.unavailable, cause: "a file of a notebook is gone")
        }
        return file
    }

    /// - Returns: nil when the file is missing.
    /// - Throws: `unavailable` when it cannot be opened.
    package func openIfThere(_ id: NotebookID) async throws(Failure) -> (any StoredBytes)? {
        try await bytes.open(Self.place(of: id))
    }

    /// Creates an empty file. The database records it first, so that a sweep removes it if the process ends before it
    /// is whole.
    /// - Parameter now: microseconds since 1970.
    func begin(of account: AuthenticatedAccount, now: Int64) async throws(Failure) -> (NotebookID, BlobFile) {
        guard let id = NotebookID(Randomness.bytes(16)) else {
            throw Failure(.internalError, cause: "sixteen bytes make an id")
        }
        try await storage.write { sql throws(Failure) in
            try NotebookFileRows(sql: sql).begin(id, of: account, now: now / 1_000_000)
        }
        let path = try path(id)
        let file = try await BlobFile.onDisk { () throws(Failure) in try BlobFile.growing(path, isNew: true) }
        guard let file else { throw Failure(.unavailable, cause: "the folder of the files is gone") }
        return (id, file)
    }

    /// Completes a file whose bytes have all arrived: afterwards they survive a power cut.
    /// - Returns: the hash of the content.
    /// - Throws: `quota`.
    func finish(
        _ file: NotebookFile, _ content: BlobFile, of account: AuthenticatedAccount, _ arriving: ArrivingBytes
    ) async throws(Failure) -> Bytes32 {
        let hash = try await BlobFile.onDisk { () throws(Failure) in
            try content.sync()
            return try content.names().content
        }
        try await bytes.put(content, at: Self.place(of: file.id))
        try await storage.write { sql throws(Failure) in
            try NotebookFileRows(sql: sql).finish(file, hash: hash, within: account.room.own)
        }
        arriving.settle(file.bytes)
        room.add(file.bytes)
        // Only now: until then its lock keeps a sweep from forgetting what was put.
        if !bytes.movesFiles { try await BlobFile.onDisk { () throws(Failure) in try content.remove() } }
        return hash
    }

    /// Removes files of a request that failed or did not need them.
    func discard(_ ids: [NotebookID]) async throws(Failure) {
        guard !ids.isEmpty else { return }
        let freed = try await storage.write { sql throws(Failure) in
            var freed: Int64 = 0
            for id in ids {
                freed += try NotebookFileRows(sql: sql).file(id)?.bytes ?? 0
                try NotebookFileRows(sql: sql).drop(id)
            }
            return freed
        }
        room.add(-freed)
        try await remove(ids)
    }

    /// Removes files that no item has referred to for a day, and files of no account.
    /// - Parameter now: microseconds since 1970.
    package func sweep(now: Int64) async throws(Failure) {
        let horizon = now / 1_000_000 - ServerLimits.unusedFileLifetime
        let ids = try await storage.write { sql throws(Failure) in
            try NotebookFileRows(sql: sql).dropUnused(before: horizon)
        }
        try await removeUnlessComing(ids)
    }

    /// Removes files of no account, such as those of a deleted one.
    package func sweepDropped() async throws(Failure) {
        let ids = try await storage.write { sql throws(Failure) in try NotebookFileRows(sql: sql).dropUnused(before: 1)
        }
        try await removeUnlessComing(ids)
        try await countRoom()
    }

    /// Reads what all notebooks take.
    package func countRoom() async throws(Failure) {
        let stored = try await storage.read { sql throws(Failure) in
            var sum: Int64 = 0
            for table in ["notebook_accounts", "notebook_files"] {
                sum += try sql.row("SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM \(table)", [])?.count(0) ?? 0
            }
            return sum
        }
        room.set(stored: stored)
    }

    /// Removes files, except those whose bytes still arrive: those stay for the next sweep.
    private func removeUnlessComing(_ ids: [NotebookID]) async throws(Failure) {
        var removed = [NotebookID]()
        for id in ids {
            let path = try path(id)
            let lock: BlobFile?
            do throws(Failure) {
                lock = try await BlobFile.onDisk { () throws(Failure) in try BlobFile.growing(path, isNew: false) }
            } catch {
                guard error.code == .inProgress else { throw error }
                continue
            }
            defer { withExtendedLifetime(lock) {} }
            try await removeBytes(of: id)
            removed.append(id)
        }
        try await forget(removed)
    }

    /// Removes the bytes first and then the row: if the process ends in between, the next sweep finishes the work.
    private func remove(_ ids: [NotebookID]) async throws(Failure) {
        for id in ids { try await removeBytes(of: id) }
        try await forget(ids)
    }

    private func removeBytes(of id: NotebookID) async throws(Failure) {
        let (folder, name) = (try folder(id), id.digits)
        try await BlobFile.onDisk { () throws(Failure) in try folder.remove(name) }
        if !bytes.movesFiles { try await bytes.remove(Self.place(of: id)) }
    }

    private func forget(_ ids: [NotebookID]) async throws(Failure) {
        guard !ids.isEmpty else { return }
        try await storage.write(.relaxed) { sql throws(Failure) in
            for id in ids { try NotebookFileRows(sql: sql).forget(id) }
        }
    }
}
