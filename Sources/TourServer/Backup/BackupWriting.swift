import ServerBase
import ServerStorage
import TourCrypto
import TourModel

/// The content of one backup on its way into a folder.
///
/// The server writes the bytes of a file before the row that names it, so what a snapshot names is there afterwards. It
/// may remove a file that nothing uses while this copies: then the next snapshot names it no longer.
struct BackupWriting {
    /// Where the backup is written.
    let tree: FileTree
    /// The server's data directory.
    let source: FileTree
    /// Where its whole blobs and files are.
    let bytes: any BlobStorage
    let progress: ServerBackup.Progress

    /// Writes all files of the backup and flushes them.
    func run(
        _ storage: any Storage, _ made: String, _ isLenient: Bool, snapshotsMax: Int
    ) async throws(Failure) -> BackupManifest {
        var sums = BackupSums(), missing: [String]?
        var latest: BackupContent?
        for _ in 1...snapshotsMax {
            try tree.remove(ServerBackup.database)
            try await storage.snapshot(to: tree.file(ServerBackup.database), of: Migration.all)
            let found = try BackupContent(of: tree.file(ServerBackup.database))
            latest = found
            let lacking = try await copy(found.files, &sums)
            // Missing from two snapshots in turn: no server has removed it meanwhile.
            let isSettled = lacking.isEmpty || lacking == missing
            missing = lacking
            if isSettled { break }
        }
        let lacking = missing ?? []
        guard let content = latest, lacking.isEmpty || isLenient else {
            throw Failure(
                .unavailable,
                cause: "the server has lost or damaged \(lacking.count) files that its database names, such as "
                    + "\(lacking.first ?? ""): bring them back, or make the backup without them by --lenient")
        }
        try drop(&sums, unless: content.files)
        let files = sums.hashes.count
        try copySecrets(&sums)
        try tree.sync(ServerBackup.database)
        sums.hashes[ServerBackup.database] = try tree.names(ServerBackup.database)?.content
        let manifest = BackupManifest(
            made: made, engine: storage.isShared ? "postgresql" : "sqlite", steps: content.steps, rows: content.rows,
            files: files, bytes: sums.hashes.keys.reduce(into: Int64(0)) { $0 += tree.size($1) }, missing: lacking)
        try tree.write(Array(manifest.json.utf8), at: BackupManifest.place)
        sums.hashes[BackupManifest.place] = try tree.names(BackupManifest.place)?.content
        try tree.write(Array(sums.text.utf8), at: BackupSums.place)
        try tree.syncFolders()
        return manifest
    }

    /// Copies the files that are not copied yet.
    /// - Returns: the places of those that are missing, or that hold something else than they are named for, sorted.
    private func copy(
        _ files: [BackupContent.NamedFile], _ sums: inout BackupSums
    ) async throws(Failure) -> [String] {
        let wanted = files.filter { sums.hashes[$0.place] == nil }
        let total = wanted.reduce(into: Int64(0)) { $0 += $1.bytes }
        var done: Int64 = 0
        var missing = [String]()
        for file in wanted {
            let took: FileTree.Took = { count in
                done += Int64(count)
                progress(done, max(done, total))
            }
            let names =
                if bytes.movesFiles {
                    try tree.copy(file.place, from: source, took: took)
                } else {
                    try await tree.copy(try await bytes.open(file.place), as: file.place, took: took)
                }
            guard let names, file.fits(names) else {
                try tree.remove(file.place)
                missing.append(file.place)
                continue
            }
            sums.hashes[file.place] = names.content
            guard file.isBlob, let sealed = names.sealed, sealed.blob.raw == file.hash else { continue }
            // What the server keeps beside such a blob follows from its bytes.
            let chunks = file.place + BlobStore.chunksSuffix
            try tree.write(sealed.chunkHashes, at: chunks)
            sums.hashes[chunks] = try tree.names(chunks)?.content
        }
        return missing.sorted()
    }

    /// Removes what only an earlier snapshot named.
    private func drop(_ sums: inout BackupSums, unless files: [BackupContent.NamedFile]) throws(Failure) {
        var named = Set(files.map(\.place))
        named.formUnion(files.filter(\.isBlob).map { $0.place + BlobStore.chunksSuffix })
        for place in sums.hashes.keys where !named.contains(place) {
            try tree.remove(place)
            sums.hashes[place] = nil
        }
    }

    /// The key that opens what the database has sealed, and the keys that sign tokens.
    private func copySecrets(_ sums: inout BackupSums) throws(Failure) {
        let folder = "token-keys"
        let keys = try FileTree(path: source.file(folder)).places().filter { $0.hasSuffix(".key") }
        for place in ["server.key"] + keys.map({ "\(folder)/\($0)" }) {
            // A key whose tokens have all expired may just have been removed.
            sums.hashes[place] = try tree.copy(place, from: source)?.content
        }
        guard sums.hashes["server.key"] != nil else {
            throw Failure(.unavailable, cause: "the server.key is missing, which opens what the database has sealed")
        }
    }
}
