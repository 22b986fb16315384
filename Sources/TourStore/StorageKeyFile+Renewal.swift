import Glibc
import TourCrypto

// Replaces the storage key. Source: `Protocol/01-identity.md`, "A new key".
extension StorageKeyFile {
    /// The files of keys. There is more than one only while a new key replaces another.
    package enum Slot: Sendable {
        /// The key in use.
        case present
        /// The next key: it counts once the database is sealed under it.
        case next
        /// The previous key, under another name until it is overwritten. Until the change it is the same file as the
        /// present one.
        case former
    }
}

extension DataDirectory {
    func keyFile(_ slot: StorageKeyFile.Slot) -> String { Self.keyFile(slot, in: path) }

    static func keyFile(_ slot: StorageKeyFile.Slot, in directory: String) -> String {
        switch slot {
        case .present: storageKey(in: directory)
        case .next: storageKey(in: directory) + ".next"
        case .former: storageKey(in: directory) + ".old"
        }
    }

    /// Whether a key is about to replace the present one, or already has: only the database shows which.
    package var hasNextKey: Bool { PrivateFile.exists(keyFile(.next)) }

    /// Gives the present key a second name, by which it can be overwritten once the next one has replaced it. Called
    /// before anything is sealed again: a disk that cannot do this fails here.
    /// - Throws: also `wiped`.
    package func keepKeyReachable() throws(StoreError) {
        try changeKey { () throws(StoreError) in
            try removeFormer()
            guard link(storageKey, keyFile(.former)) == 0 else { throw StoreError(errno: errno) }
            try PrivateFile.synchronize(directory: path)
        }
    }

    /// Renames the next key to the present one, after the database was sealed under it. The old key stays until
    /// `endFormerKey`.
    /// - Throws: also `wiped`.
    package func adoptNextKey() throws(StoreError) {
        try changeKey { () throws(StoreError) in
            if !PrivateFile.exists(keyFile(.former)), link(storageKey, keyFile(.former)) != 0 {
                throw StoreError(errno: errno)
            }
            guard rename(keyFile(.next), storageKey) == 0 else { throw StoreError(errno: errno) }
            try PrivateFile.synchronize(directory: path)
        }
    }

    /// Overwrites the former key, if there is one, and one that was begun and never completed.
    /// - Throws: also `wiped`.
    package func endFormerKey() throws(StoreError) {
        try changeKey { () throws(StoreError) in
            // The remains of a change that was interrupted while it wrote the next key.
            let begun = PrivateFile.temporary(keyFile(.next))
            if PrivateFile.exists(begun) { try erase(begun) }
            try removeFormer()
        }
    }

    /// Overwrites the next key, after the database turned out to be sealed under the present one.
    /// - Throws: also `wiped`.
    package func dropNextKey() throws(StoreError) {
        try changeKey { () throws(StoreError) in
            try erase(keyFile(.next))
            try removeFormer()
        }
    }

    /// Removes a key that is no longer in use. If the former name is a second name of the present key, only the name
    /// goes.
    private func removeFormer() throws(StoreError) {
        let former = keyFile(.former)
        guard PrivateFile.exists(former) else { return }
        guard PrivateFile.isSame(former, storageKey) else {
            // A kill may have left names that the disk does not have yet: there the old key's name may still be the
            // present one's, and after a power cut its mark would claim that everything must be wiped.
            try PrivateFile.synchronize(directory: path)
            return try erase(former)
        }
        guard unlink(former) == 0 || errno == ENOENT else { throw StoreError(errno: errno) }
        try PrivateFile.synchronize(directory: path)
    }

    private func erase(_ file: String) throws(StoreError) {
        for file in [PrivateFile.temporary(file), file] where PrivateFile.exists(file) {
            try overwrite(file)
            guard unlink(file) == 0 || errno == ENOENT else { throw StoreError(errno: errno) }
        }
        try PrivateFile.synchronize(directory: path)
    }
}
