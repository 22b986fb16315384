import GRDB
import Glibc
import Synchronization
import TourCrypto

extension TourStore {
    /// The pages copied between two reports.
    private static let pagesPerStep: CInt = 1_024

    /// Writes everything, the storage key included, to one sealed file. Others may write meanwhile: the backup contains
    /// the state at its start.
    ///
    /// - Parameter path: replaced as a whole, at the end.
    /// - Parameter parameters: nil for those that suit this machine.
    /// - Parameter progress: receives the work done and the total, in an unspecified unit, on the calling thread.
    /// - Throws: also `busy` while another backup is being made; `badPath` where no file can be written.
    package func backUp(
        to path: String, passphrase: [UInt8], parameters: Passphrase.Parameters? = nil,
        progress: (_ done: Int, _ total: Int) -> Void
    ) throws(StoreError) {
        try beginAlone()
        defer { endAlone() }
        try BackupFile.checkTarget(path)
        let copy = directory.snapshot
        defer { removeSnapshot() }
        // The remains of a killed node.
        removeSnapshot()
        // SQLite's copy must be as private as the database.
        Glibc.close(try PrivateFile.open(copy, flags: O_RDWR | O_CREAT | O_EXCL))
        try snapshot(to: copy) { progress($0, 2 * $1) }
        try BackupFile.write(
            to: path, key: storageKey.withLock { $0 }, database: copy, passphrase: passphrase,
            parameters: parameters ?? StorageKeyFile.suitableParameters
        ) { progress($1 + $0, 2 * $1) }
    }

    /// Excludes other backups and key changes until `endAlone`: a backup needs the key that its copy of the database is
    /// sealed under.
    /// - Throws: `busy`.
    func beginAlone() throws(StoreError) {
        let isFirst = isBackingUp.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
        guard isFirst else { throw .busy }
    }

    func endAlone() { isBackingUp.withLock { $0 = false } }

    private func snapshot(to path: String, progress: (Int, Int) -> Void) throws(StoreError) {
        do {
            let queue = try DatabaseQueue(path: path)
            try copy(to: queue) { progress($0.completedPageCount, $0.totalPageCount) }
            try queue.close()
        } catch {
            throw StoreError(database: error)
        }
    }

    private func removeSnapshot() { Self.removeSnapshot(of: directory) }

    static func removeSnapshot(of directory: DataDirectory) {
        for end in ["", "-wal", "-shm", "-journal"] { unlink(directory.snapshot + end) }
    }

    private func copy(to queue: DatabaseQueue, progress: (DatabaseBackupProgress) -> Void) throws {
        try withoutActuallyEscaping(progress) { progress in
            try pool.backup(to: queue, pagesPerStep: Self.pagesPerStep) { progress($0) }
        }
    }
}

extension DataDirectory {
    /// Whether there was never a node here.
    package var isEmpty: Bool { !PrivateFile.exists(database) && !PrivateFile.exists(storageKey) }

    /// Restores a backup into this directory, which must be empty. Returns the key without writing it: until
    /// `StorageKeyFile` stores it, nothing here opens.
    package func restore(
        from path: String, passphrase: [UInt8], progress: (_ done: Int, _ total: Int) -> Void
    ) throws(StoreError) -> SecretBytes {
        guard isEmpty else { throw .notEmpty }
        let temporary = PrivateFile.temporary(database)
        unlink(temporary)
        do throws(StoreError) {
            let key = try BackupFile.read(from: path, passphrase: passphrase, database: temporary, progress: progress)
            // SQLite would replay another database's leftover log into this one.
            for end in ["-wal", "-shm", "-journal"] { unlink(database + end) }
            guard rename(temporary, database) == 0 else { throw StoreError(errno: errno) }
            try PrivateFile.synchronize(directory: self.path)
            return key
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Removes the database that `restore` wrote, as long as nothing else has been stored here.
    package func removeRestored() {
        for end in ["", "-wal", "-shm", "-journal"] { unlink(database + end) }
    }
}
