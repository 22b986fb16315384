import Foundation
import Glibc
import ServerBase
import ServerStorage
import TourCrypto
import TourModel

/// A copy of a server at one moment, made while it serves: a folder with its database as an SQLite file, whichever
/// engine it was, every file that this database names, the server's secrets, and the hash of each.
package struct ServerBackup: Sendable {
    /// Receives the bytes that are done, and how many there are as far as is known.
    package typealias Progress = @Sendable (_ done: Int64, _ total: Int64) -> Void

    static let database = "server.sqlite"
    /// What is being written stands under this name beside the place that it is for.
    private static let unfinished = ".tour-server-backup.partial"
    /// A backup that is being removed has this name meanwhile.
    private static let leaving = ".tour-server-backup.leaving"
    /// The file in the data directory that says when the last backup was made, for the metrics.
    private static let note = "last-backup"
    /// Each time the server may have removed a file while it was copied.
    private static let snapshotsMax = 5

    /// The folder of the backup.
    package let path: String
    /// What it says about itself.
    package let manifest: BackupManifest

    /// Makes a backup. Once this returns it survives a power cut; an interrupted one leaves nothing by that name.
    /// - Parameter target: a name that nothing has yet, or a folder, in which it gets a name of its own.
    /// - Parameter isLenient: whether it is made also without files that the server has lost or damaged.
    /// - Parameter now: microseconds since 1970.
    /// - Throws: `unavailable`, also when the server lacks a file; `newerDatabase`; `alreadyServed` while another one
    ///   is made at the same place.
    package static func make(
        of settings: ServerSettings, to target: String, isLenient: Bool = false, now: Int64 = WallClock.now(),
        progress: @escaping Progress = { _, _ in }
    ) async throws(Failure) -> ServerBackup {
        try refuseNothing(settings)
        let made = Date(timeIntervalSince1970: Double(now / 1_000_000)).formatted(.iso8601)
        let path = place(target, made)
        guard !FileManager.default.fileExists(atPath: path) else {
            throw Failure(.unavailable, cause: "there is a \(path) already: name another place")
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().resolvingSymlinksInPath().path
        let door = try OpenedServer(settings: settings)
        let lock = try lock(folder)
        defer { withExtendedLifetime(lock) {} }
        let tree = FileTree(path: folder + "/" + unfinished)
        discard(tree)
        try tree.make()
        let writing = BackupWriting(
            tree: tree, source: FileTree(path: door.directory.path), bytes: door.blobs, progress: progress)
        do throws(Failure) {
            let manifest = try await writing.run(door.storage, made, isLenient, snapshotsMax: snapshotsMax)
            try await door.storage.close()
            // Never over another one: the system replaces an empty folder alone.
            guard rename(tree.path, path) == 0 else {
                throw Failure(
                    .unavailable, cause: "\(path) cannot be given its name: \(String(cString: strerror(errno)))")
            }
            try FileTree.flush(folder, O_RDONLY | O_DIRECTORY)
            // The backup is there, whatever becomes of this note.
            try? door.directory.replace(Self.note, with: Array("\(now / 1_000_000)\n".utf8))
            return ServerBackup(path: path, manifest: manifest)
        } catch {
            discard(tree)
            try? await door.storage.close()
            throw error
        }
    }

    /// When the last backup of this data directory was made, in seconds since 1970; nil where none is known.
    static func last(_ directory: ServerDirectory) throws(Failure) -> Int64? {
        guard let bytes = try directory.read(note, bytesMax: 32) else { return nil }
        return Int64(String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace })
    }

    /// Reads a backup whole, and compares each file with its hash.
    /// - Throws: `unavailable` for what is no backup, or a damaged one; `newerDatabase` for one of a later version.
    package static func check(
        _ path: String, progress: Progress = { _, _ in }
    ) throws(Failure) -> ServerBackup {
        try checked(path, progress: progress).backup
    }

    /// See `check`.
    /// - Returns: the hashes too, and the hash over them, which names the backup.
    static func checked(
        _ path: String, progress: Progress
    ) throws(Failure) -> (backup: ServerBackup, sums: BackupSums, name: Bytes32) {
        let tree = FileTree(path: trimmed(path))
        guard let bytes = try tree.read(BackupSums.place, bytesMax: BackupSums.bytesMax),
            let name = try tree.names(BackupSums.place)?.content
        else { throw Failure(.unavailable, cause: "\(path) is no backup: it has no \(BackupSums.place)") }
        let sums = try BackupSums(bytes)
        guard let text = try tree.read(BackupManifest.place, bytesMax: BackupManifest.bytesMax),
            try tree.names(BackupManifest.place)?.content == sums.hashes[BackupManifest.place]
        else { throw damaged(BackupManifest.place) }
        let manifest = try BackupManifest(text)
        let found = Set(try tree.places()), known = Set(sums.hashes.keys).union([BackupSums.place])
        if let other = found.symmetricDifference(known).min() {
            let trouble = known.contains(other) ? "lacks its file" : "holds a file that does not belong to it:"
            throw Failure(.unavailable, cause: "the backup \(trouble) \(other)")
        }
        let total = found.reduce(into: Int64(0)) { $0 += tree.size($1) }
        var done: Int64 = 0
        for (place, hash) in sums.hashes.sorted(by: { $0.key < $1.key }) {
            let names = try tree.names(place) { count in
                done += Int64(count)
                progress(done, total)
            }
            guard names?.content == hash else { throw damaged(place) }
        }
        let content = try BackupContent(of: tree.file(database))
        guard sums.hashes["server.key"] != nil, content.steps == manifest.steps,
            content.files.allSatisfy({ sums.hashes[$0.place] != nil || manifest.missing.contains($0.place) })
        else { throw Failure(.unavailable, cause: "the backup is not whole: its database names files that it lacks") }
        return (ServerBackup(path: tree.path, manifest: manifest), sums, name)
    }

    private static func damaged(_ place: String) -> Failure {
        Failure(.unavailable, cause: "the backup is damaged: \(place) is not what it was")
    }

    /// - Throws: where nobody has served yet: opening would create a server.
    private static func refuseNothing(_ settings: ServerSettings) throws(Failure) {
        guard FileManager.default.fileExists(atPath: settings.dataDirectory + "/server.key") else {
            throw Failure(
                .unavailable, cause: "no server has its data in \(settings.dataDirectory): name it by --data-dir")
        }
        if settings.postgres == nil, !FileManager.default.fileExists(atPath: settings.databasePlace) {
            throw Failure(.unavailable, cause: "there is no database \(settings.databasePlace)")
        }
    }

    private static func place(_ target: String, _ made: String) -> String {
        let target = trimmed(target)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: target, isDirectory: &isFolder), isFolder.boolValue else {
            return target
        }
        return target + "/tour-server-" + made.filter { $0 != "-" && $0 != ":" }
    }

    /// - Throws: `alreadyServed` while another process writes or removes backups there; `unavailable`.
    private static func lock(_ folder: String) throws(Failure) -> FileLock {
        guard let lock = try FileLock.file(folder + "/.tour-server-backup.lock") else {
            throw Failure(.alreadyServed, cause: "another backup is being written into \(folder)")
        }
        return lock
    }

    /// Removes the older backups of a folder, but for the newest `count`. What has no name that `make` gives, or is no
    /// backup, stays.
    /// - Parameter count: at least 1.
    /// - Parameter spared: the name of the backup that was just made: it stays, even where the clock was set back and
    ///   others have later names.
    /// - Returns: the names of those that are gone, oldest first.
    /// - Throws: `alreadyServed` while another backup is made there; `unavailable` for a folder that cannot be read, or
    ///   a backup that cannot be removed.
    package static func prune(
        _ folder: String, keeping count: Int, sparing spared: String
    ) throws(Failure) -> [String] {
        let lock = try lock(folder)
        defer { withExtendedLifetime(lock) {} }
        let leaving = "\(folder)/\(leaving)"
        // An interrupted one has left it: secrets are in it.
        discard(FileTree(path: leaving))
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
                name.wholeMatch(of: /tour-server-\d{8}T\d{6}Z/) != nil
                    && FileManager.default.fileExists(atPath: "\(folder)/\(name)/\(BackupSums.place)")
            }
            let old = names.sorted().dropLast(max(1, count)).filter { $0 != spared }
            // Under another name it is no backup any more, should this end half way.
            for name in old {
                try FileManager.default.moveItem(atPath: "\(folder)/\(name)", toPath: leaving)
                try FileManager.default.removeItem(atPath: leaving)
            }
            return old
        } catch {
            throw Failure(
                .unavailable, cause: "an older backup in \(folder) cannot be removed: \(error.localizedDescription)")
        }
    }

    private static func trimmed(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? trimmed(String(path.dropLast())) : path
    }

    /// Removes what an interrupted one has left: secrets are in it.
    private static func discard(_ tree: FileTree) { try? FileManager.default.removeItem(atPath: tree.path) }
}
