import Glibc
import TourCrypto

// Destroying what a node keeps. Source: `Protocol/01-identity.md`, "Wiping".
extension DataDirectory {
    /// Overwrites the storage key in its place: what it seals is lost with it, wherever copies of the database are. The
    /// file stays, as the mark of a wipe that has begun, until `removeFiles` comes to it.
    /// Flash memory may keep the overwritten bytes; a key under a passphrase is of no use there.
    package func destroyKey() throws(StoreError) {
        try endKey { () throws(StoreError) in
            for path in keyFiles where PrivateFile.exists(path) { try overwrite(path) }
        }
    }

    /// The same for the keys beside the one whose file says already that it is destroyed: a wipe that was cut short may
    /// not have come to them.
    package func destroyOtherKeys() throws(StoreError) {
        for path in keyFiles.dropLast() where PrivateFile.exists(path) { try overwrite(path) }
    }

    /// All files that a key can be in; the one that says what goes on is the last.
    private var keyFiles: [String] {
        [StorageKeyFile.Slot.former, .next, .present].flatMap { [PrivateFile.temporary(keyFile($0)), keyFile($0)] }
    }

    /// Overwrites a key in its place, with the mark that it is destroyed.
    func overwrite(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        // A link is removed later, not followed.
        guard descriptor >= 0 else {
            if errno == ELOOP { return }
            throw StoreError(errno: errno)
        }
        defer { close(descriptor) }
        let bytes = try PrivateFile.read(descriptor, count: PrivateFile.size(of: descriptor))
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw StoreError(errno: errno) }
        try PrivateFile.write(StorageKeyFile.mark(over: bytes), to: descriptor)
        guard fsync(descriptor) == 0 else { throw StoreError(errno: errno) }
    }

    /// Removes every file that this program makes here, and the directory if nothing else is in it.
    package func removeFiles() throws(StoreError) {
        try removeContents()
        try unlink([socket, path + "/lock"])
        // It may be a disk of its own, or hold what is not ours.
        let isLeft = rmdir(path) != 0 && ![ENOTEMPTY, EEXIST, EBUSY, ENOENT].contains(errno)
        if isLeft { throw StoreError(errno: errno) }
    }

    /// The same for a directory that is used on. The key's file goes last: while it says that the key is destroyed,
    /// the next start goes on here.
    package func removeContents() throws(StoreError) {
        let databases = [database, snapshot].flatMap { [$0, $0 + "-wal", $0 + "-shm", $0 + "-journal"] }
        try unlink(databases + [PrivateFile.temporary(database), place] + keyFiles.dropLast())
        try unlink([page, PrivateFile.temporary(page)])
        try BlobDirectory(in: path).removeAll()
        guard PrivateFile.exists(storageKey) else { return }
        try PrivateFile.synchronize(directory: path)
        try unlink([storageKey])
        try PrivateFile.synchronize(directory: path)
    }

    private func unlink(_ files: [String]) throws(StoreError) {
        for file in files {
            guard Glibc.unlink(file) == 0 || errno == ENOENT else { throw StoreError(errno: errno) }
        }
    }
}
