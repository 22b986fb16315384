import Glibc
import TourCrypto

// A new storage key in the place of the old one. Source: `Protocol/01-identity.md`, "A new key".
extension StorageKeyFile {
    /// The files of keys. There are more than one only while a new key takes the place of another.
    package enum Slot: Sendable {
        case present
        /// The one to come: it counts from when the database is sealed under it.
        case next
        /// The one that was, under another name until it is overwritten. The same file as the present one until then.
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

    /// Whether a key is about to take the place of the present one, or has: only the database says which.
    package var hasNextKey: Bool { PrivateFile.exists(keyFile(.next)) }

    /// Gives the present key a second name, by which it can be overwritten when the next one has taken its place.
    /// Before anything is sealed anew: a disk that cannot do this shows it then.
    /// - Throws: also `wiped`.
    package func keepKeyReachable() throws(StoreError) {
        try changeKey { () throws(StoreError) in
            try removeFormer()
            guard link(storageKey, keyFile(.former)) == 0 else { throw StoreError(errno: errno) }
            try PrivateFile.synchronize(directory: path)
        }
    }

    /// The database is sealed under the next key: its file takes the name. The old key is there until `endFormerKey`.
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

    /// Overwrites the key that was, if there is one, and one that was begun and never came.
    /// - Throws: also `wiped`.
    package func endFormerKey() throws(StoreError) {
        try changeKey { () throws(StoreError) in
            // Of a change that was cut short while it wrote the next key.
            let begun = PrivateFile.temporary(keyFile(.next))
            if PrivateFile.exists(begun) { try erase(begun) }
            try removeFormer()
        }
    }

    /// The database is sealed under the present key: the next one is overwritten.
    /// - Throws: also `wiped`.
    package func dropNextKey() throws(StoreError) {
        try changeKey { () throws(StoreError) in
            try erase(keyFile(.next))
            try removeFormer()
        }
    }

    /// A key that is not in use any more. By whose second name the present one is reached stays whole.
    private func removeFormer() throws(StoreError) {
        let former = keyFile(.former)
        guard PrivateFile.exists(former) else { return }
        guard PrivateFile.isSame(former, storageKey) else {
            // A kill may have left names that the disk does not have yet: the old key's may still be the present one's
            // there, and after a power cut its mark would say that all is to be wiped.
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
