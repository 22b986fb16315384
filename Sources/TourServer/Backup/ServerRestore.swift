import CoreFoundation
import Foundation
import Glibc
import ServerBase
import ServerStorage
import TourCrypto
import TourModel

/// Makes a server of a backup. Until all is there a mark in the data directory keeps every server from starting on it;
/// where it was interrupted the same call goes on.
package enum ServerRestore {
    /// - Parameter path: the backup, which is read whole before anything is written, and stays as it is.
    /// - Parameter settings: name a data directory and a database that do not exist or are empty.
    /// - Throws: `unavailable`, also for a damaged backup, and for a directory or database that is not empty;
    ///   `newerDatabase` for a backup of a later version; `alreadyServed` while another one restores to the same place.
    package static func run(
        from path: String, to settings: ServerSettings, progress: @escaping ServerBackup.Progress = { _, _ in }
    ) async throws(Failure) -> ServerBackup {
        let (backup, sums, name) = try ServerBackup.checked(path) { done, total in progress(done / 2, total) }
        let target = try settings.postgres.map { address throws(Failure) in
            try PostgresStorage(address, logger: OpenedServer.silent)
        }
        do throws(Failure) {
            try await restore((backup, sums, name), to: settings, target, progress)
        } catch {
            try? await target?.close()
            throw error
        }
        try await target?.close()
        return backup
    }

    /// - Parameter target: nil for an SQLite file.
    private static func restore(
        _ checked: (backup: ServerBackup, sums: BackupSums, name: Bytes32), to settings: ServerSettings,
        _ target: PostgresStorage?, _ progress: @escaping ServerBackup.Progress
    ) async throws(Failure) {
        let name = checked.name
        let begun = try beginning(name, in: settings)
        if let target {
            try await refuseRows(in: target, unless: begun ? name : nil)
        } else {
            try refuseDatabase(at: settings.databasePlace, unless: begun)
        }
        let directory = try ServerDirectory(path: settings.dataDirectory)
        guard let lock = try FileLock.file(directory.file("keys.lock")) else {
            throw Failure(.alreadyServed, cause: "another process works in \(settings.dataDirectory)")
        }
        defer { withExtendedLifetime(lock) {} }
        let bytes = try settings.blobStorage(directory)
        if !bytes.movesFiles, !begun, let found = try await bytes.places(below: "").first {
            throw Failure(.unavailable, cause: "the bucket is not empty: it has \(found); name another prefix")
        }
        try directory.replace(ServerDirectory.restoring, with: Array(name.hex.utf8))
        let work = Work(
            source: FileTree(path: checked.backup.path), tree: FileTree(path: directory.path, isOwners: true),
            bytes: bytes, sums: checked.sums, name: name, progress: progress)
        try await work.copyFiles()
        if let target {
            try await work.fill(target)
        } else {
            try work.placeDatabase(settings.databasePlace)
        }
        try work.tree.syncFolders()
        try directory.remove(ServerDirectory.restoring)
        try directory.sync()
        try await target?.forgetFilling()
    }

    /// - Returns: whether this backup's restoring was begun here before.
    /// - Throws: for a directory with anything else in it.
    private static func beginning(_ name: Bytes32, in settings: ServerSettings) throws(Failure) -> Bool {
        let path = settings.dataDirectory
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        let tree = FileTree(path: path)
        if let mark = try tree.read(ServerDirectory.restoring, bytesMax: 1_024) {
            guard mark == Array(name.hex.utf8) else {
                throw Failure(
                    .unavailable, cause: "\(path) holds half of another backup: remove it, or restore that one")
            }
            return true
        }
        // All that is there before the mark is.
        let early: Set = ["keys.lock", ServerDirectory.restoring + ".new"]
        guard try tree.places().allSatisfy(early.contains) else {
            throw Failure(.unavailable, cause: "\(path) is not empty: name a directory that does not exist")
        }
        return false
    }

    /// The log of another database beside it would be replayed into the one that is restored.
    private static func refuseDatabase(at path: String, unless begun: Bool) throws(Failure) {
        let endings = (begun ? [] : [""]) + ["-wal", "-shm", "-journal"]
        if let found = endings.map({ path + $0 }).first(where: FileManager.default.fileExists(atPath:)) {
            throw Failure(.unavailable, cause: "there is a database \(found): name another place")
        }
    }

    private static func refuseRows(in storage: PostgresStorage, unless name: Bytes32?) async throws(Failure) {
        let (isEmpty, filled) = try await storage.filling()
        guard isEmpty || filled != nil && filled == name?.hex else {
            throw Failure(.unavailable, cause: "the PostgreSQL database is not empty: name an empty one")
        }
    }

    /// One backup on its way into a data directory.
    private struct Work {
        let source: FileTree
        let tree: FileTree
        let bytes: any BlobStorage
        let sums: BackupSums
        let name: Bytes32
        let progress: ServerBackup.Progress

        /// Blobs, files and secrets; those of an earlier attempt stay if they are whole.
        func copyFiles() async throws(Failure) {
            let files = sums.hashes.filter { $0.key != BackupManifest.place && $0.key != ServerBackup.database }
            let all = sums.hashes.keys.reduce(into: Int64(0)) { $0 += source.size($1) }
            var done = all / 2
            for (place, hash) in files.sorted(by: { $0.key < $1.key }) {
                if !bytes.movesFiles, place.hasPrefix("blobs/") || place.hasPrefix("files/") {
                    try await put(place)
                } else if try tree.names(place)?.content != hash {
                    try copy(place, as: place)
                }
                done += source.size(place) / 2
                progress(done, all)
            }
        }

        func placeDatabase(_ path: String) throws(Failure) {
            let place = URL(fileURLWithPath: path)
            let folder = FileTree(
                path: place.deletingLastPathComponent().resolvingSymlinksInPath().path, isOwners: true)
            let name = place.lastPathComponent
            if let found = try folder.names(name)?.content {
                guard found == sums.hashes[ServerBackup.database] else {
                    throw Failure(.unavailable, cause: "there is a database \(path): name another place")
                }
                return
            }
            try copy(ServerBackup.database, as: name + ".restoring", in: folder)
            guard rename(path + ".restoring", path) == 0 else {
                throw Failure(.unavailable, cause: "\(path) cannot be made: \(String(cString: strerror(errno)))")
            }
            try FileTree.flush(folder.path, O_RDONLY | O_DIRECTORY)
        }

        /// All rows come in one transaction, which leaves the backup's name: another attempt finds them by it.
        func fill(_ target: PostgresStorage) async throws(Failure) {
            let (file, endings) = ("restoring.sqlite", ["", "-wal", "-shm", "-journal", ".lock"])
            if try await target.filling().filled != name.hex {
                // The log of an interrupted attempt would be replayed into the new copy.
                for ending in endings { try tree.remove(file + ending) }
                try copy(ServerBackup.database, as: file)
                _ = try await DatabaseCopy.fill(target, from: tree.file(file), named: name.hex)
            }
            for ending in endings { try tree.remove(file + ending) }
        }

        // An object is whole or not there, and the bucket was empty before.
        private func put(_ place: String) async throws(Failure) {
            if let there = try await bytes.open(place), try there.size() == source.size(place) { return }
            guard let file = try BlobFile(reading: source.file(place)) else {
                throw Failure(.unavailable, cause: "the backup has changed while it was read: \(place)")
            }
            try await bytes.put(file, at: place)
        }

        private func copy(_ place: String, as name: String, in other: FileTree? = nil) throws(Failure) {
            guard try (other ?? tree).copy(place, from: source, as: name)?.content == sums.hashes[place] else {
                throw Failure(.unavailable, cause: "the backup has changed while it was read: \(place)")
            }
        }
    }
}
