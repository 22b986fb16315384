import TourCrypto
import TourKeyring
import TourModel
import TourStore
import TourWire

/// A locked data directory, with its key.
package struct OpenedDirectory: Sendable {
    let directory: DataDirectory
    let key: SecretBytes
    let home: StorageKeyFile.Home

    /// Opens a directory, or creates a new one: its key goes to the session's keyring if that is there and open,
    /// unless a passphrase is given.
    /// - Throws: `StoreError` or `KeyringError`.
    init(_ directory: DataDirectory, passphrase: [UInt8]?) throws {
        self.directory = directory
        try LockedDirectory(directory).finishWipe()
        if let found = try KeyRenewal.finish(directory, passphrase: passphrase) {
            key = found.key
            home = found.home
            return
        }
        switch try StorageKeyFile.home(directory) {
        case .keyring(let id)?:
            key = try SecretService.key(id: id, mayAsk: true)
            home = .keyring(id: id)
        case nil where passphrase == nil && directory.isEmpty:
            let key = SecretBytes.random(count: Seal.keyBytes)
            home = try Self.place(key, directory)
            self.key = key
        case let known:
            key = try StorageKeyFile.open(directory, passphrase: passphrase)
            home = known ?? (passphrase == nil ? .file : .passphrase)
        }
    }

    /// A directory whose key is in no file yet.
    init(_ directory: DataDirectory, key: SecretBytes) {
        self.directory = directory
        self.key = key
        home = .file
    }

    /// The store of a backup that has just been restored; removed again where it cannot be opened. A later version's
    /// backup, say, needs the directory empty for the program that can restore it.
    func restoredStore() throws(StoreError) -> TourStore {
        do throws(StoreError) {
            return try store()
        } catch {
            directory.removeRestored()
            throw error
        }
    }

    /// Puts the key of a new directory in its place. A missing or closed keyring does not prevent a start.
    static func place(
        _ key: SecretBytes, _ directory: DataDirectory
    ) throws(StoreError) -> StorageKeyFile.Home {
        let id = StorageKeyFile.makeID()
        if SecretService.isPresent, (try? SecretService.keep(key, id: id, mayAsk: false)) != nil {
            try StorageKeyFile.entrust(directory, id: id)
            return .keyring(id: id)
        }
        try StorageKeyFile.expose(directory, key: key)
        return .file
    }

    func store() throws(StoreError) -> TourStore {
        try TourStore(directory: directory, storageKey: key) { bytes, id in
            guard bytes.count >= Event.bodyOffset, let header = try? EventHeader(decoding: bytes) else { return nil }
            return Event(header: header, id: id, bytes: bytes)
        }
    }
}

/// A locked data directory whose key this process does not have.
package struct LockedDirectory: Sendable {
    let directory: DataDirectory

    init(_ directory: DataDirectory) { self.directory = directory }

    /// Locks a directory on which no node runs.
    /// - Throws: `StoreError`, for instance that the directory is in use.
    package init(path: String) throws { directory = try DataDirectory(path: path) }

    /// Takes as long as deriving a key from the passphrase, or as the user needs to open the keyring.
    /// - Throws: `StoreError`: passphrase needed or wrong; `KeyringError`.
    package func open(passphrase: [UInt8]?) throws -> OpenedDirectory {
        try OpenedDirectory(directory, passphrase: passphrase)
    }

    /// Destroys the key first: whatever fails afterwards, nothing sealed under it can be read again. The key's file
    /// records that before the keyring forgets the key, and keeps the id until everything is gone, so that an
    /// interrupted wipe continues there.
    package func destroyKey() throws {
        try directory.destroyKey()
        try forgetKey()
    }

    /// Completes an interrupted wipe: its remains neither open nor keep a new node from this place.
    func finishWipe() throws {
        guard try StorageKeyFile.remains(directory) != nil else { return }
        try directory.destroyOtherKeys()
        try forgetKey()
        FileScratch.clear(in: directory.path)
        try directory.removeContents()
    }

    /// A missing or closed keyring does not stop a wipe: the key that it holds opens nothing any more.
    private func forgetKey() throws {
        var ids = try StorageKeyFile.otherEntries(directory)
        if case .filesAndEntry(let id)? = try StorageKeyFile.remains(directory) { ids.append(id) }
        for id in ids { try? SecretService.forget(id: id, mayAsk: false) }
    }

    /// Call when nothing has the store open.
    package func removeFiles() throws {
        FileScratch.clear(in: directory.path)
        try directory.removeFiles()
    }
}
