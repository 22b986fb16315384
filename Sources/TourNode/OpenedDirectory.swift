import TourCrypto
import TourModel
import TourStore

/// A data directory that is held and whose key is at hand.
package struct OpenedDirectory: Sendable {
    let directory: DataDirectory
    let key: SecretBytes
    /// Whether the key opens by a passphrase only.
    let isProtected: Bool

    init(_ directory: DataDirectory, passphrase: [UInt8]?) throws(StoreError) {
        self.directory = directory
        key = try StorageKeyFile.open(directory, passphrase: passphrase)
        isProtected = try StorageKeyFile.isProtected(directory)
    }

    /// One whose key no file keeps yet.
    init(_ directory: DataDirectory, key: SecretBytes) {
        self.directory = directory
        self.key = key
        isProtected = false
    }

    func store() throws(StoreError) -> TourStore {
        try TourStore(directory: directory, storageKey: key) { bytes, id in
            (try? EventHeader(decoding: bytes.prefix(EventHeader.length))).map {
                Event(header: $0, id: id, bytes: bytes)
            }
        }
    }
}

/// A data directory that is held while nobody here has its key.
package struct LockedDirectory: Sendable {
    let directory: DataDirectory

    init(_ directory: DataDirectory) { self.directory = directory }

    /// Takes a directory that no node runs on.
    /// - Throws: `StoreError`, for instance that it is in use.
    package init(path: String) throws { directory = try DataDirectory(path: path) }

    /// Takes as long as the passphrase is meant to take.
    /// - Throws: `StoreError`: passphrase needed or wrong.
    package func open(passphrase: [UInt8]?) throws -> OpenedDirectory {
        try OpenedDirectory(directory, passphrase: passphrase)
    }

    /// The key first: whatever fails afterwards, nothing that it sealed can be read any more.
    package func destroyKey() throws { try directory.destroyKey() }

    /// Nothing may have the store open.
    package func removeFiles() throws { try directory.removeFiles() }
}
