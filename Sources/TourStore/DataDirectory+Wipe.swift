import Glibc
import TourCrypto

// Destroying what a node keeps. Source: `Protocol/01-identity.md`, "Wiping".
extension DataDirectory {
    /// Overwrites and removes the storage key: what it seals is lost with it, wherever copies of the database are.
    /// Flash memory may keep the overwritten bytes; a key under a passphrase is of no use there.
    package func destroyKey() throws(StoreError) {
        for path in [storageKey, PrivateFile.temporary(storageKey)] where PrivateFile.exists(path) {
            try overwrite(path)
            guard unlink(path) == 0 else { throw StoreError(errno: errno) }
        }
        try PrivateFile.synchronize(directory: path)
    }

    private func overwrite(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        // A link is removed, not followed.
        guard descriptor >= 0 else {
            if errno == ELOOP { return }
            throw StoreError(errno: errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreError(errno: errno) }
        try PrivateFile.write(Randomness.bytes(Int(status.st_size)), to: descriptor)
        guard fsync(descriptor) == 0 else { throw StoreError(errno: errno) }
    }

    /// Removes every file that this program makes here, and the directory if nothing else is in it.
    package func removeFiles() throws(StoreError) {
        let databases = [database, snapshot].flatMap { [$0, $0 + "-wal", $0 + "-shm", $0 + "-journal"] }
        for file in databases + [PrivateFile.temporary(database), place, socket, path + "/lock"] {
            guard unlink(file) == 0 || errno == ENOENT else { throw StoreError(errno: errno) }
        }
        // It may be a disk of its own, or hold what is not ours.
        let isLeft = rmdir(path) != 0 && ![ENOTEMPTY, EEXIST, EBUSY, ENOENT].contains(errno)
        if isLeft { throw StoreError(errno: errno) }
    }
}
