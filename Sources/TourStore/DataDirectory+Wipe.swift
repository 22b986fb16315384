import Glibc
import TourCrypto

// Destroying a node's data. Source: `Protocol/01-identity.md`, "Wiping".
extension DataDirectory {
    /// Overwrites the storage key in place: everything sealed under it is lost with it, in all copies of the database.
    /// The file stays, as the mark of a wipe that has begun, until `removeFiles` reaches it. Flash memory may keep the
    /// overwritten bytes; a key under a passphrase is useless there.
    package func destroyKey() throws(StoreError) {
        try endKey { () throws(StoreError) in
            for path in keyFiles where PrivateFile.exists(path) { try overwrite(path) }
        }
    }

    /// The same for the keys beside a destroyed one: an interrupted wipe may not have reached them.
    package func destroyOtherKeys() throws(StoreError) {
        for path in keyFiles.dropLast() where PrivateFile.exists(path) { try overwrite(path) }
    }

    /// All files that may contain a key; the one that decides how to continue is the last.
    private var keyFiles: [String] {
        [StorageKeyFile.Slot.former, .next, .present].flatMap { [PrivateFile.temporary(keyFile($0)), keyFile($0)] }
    }

    /// Overwrites a key in place with the mark of a destroyed key.
    func overwrite(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        // A symbolic link is removed later, not followed.
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

    /// Removes every file that this program creates here, and the directory if nothing else is in it.
    package func removeFiles() throws(StoreError) {
        try removeContents()
        try unlink([socket, path + "/lock"])
        // The directory may be a mount point, or contain other files.
        let isLeft = rmdir(path) != 0 && ![ENOTEMPTY, EEXIST, EBUSY, ENOENT].contains(errno)
        if isLeft { throw StoreError(errno: errno) }
    }

    /// The same for a directory that remains in use. The key's file goes last: while it marks the key as destroyed, the
    /// next start continues the wipe.
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
