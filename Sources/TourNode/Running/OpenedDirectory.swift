import TourCrypto
import TourKeyring
import TourModel
import TourStore
import TourWire

/// A data directory that is held and whose key is at hand.
package struct OpenedDirectory: Sendable {
    let directory: DataDirectory
    let key: SecretBytes
    let home: StorageKeyFile.Home

    /// Opens a directory, or begins a new one: its key goes to the keyring of the session, if there is one that is
    /// open, unless a passphrase is given.
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

    /// One whose key no file keeps yet.
    init(_ directory: DataDirectory, key: SecretBytes) {
        self.directory = directory
        self.key = key
        home = .file
    }

    /// Where a new directory's key goes. A keyring that is not there or not open is no reason not to begin.
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

/// A data directory that is held while nobody here has its key.
package struct LockedDirectory: Sendable {
    let directory: DataDirectory

    init(_ directory: DataDirectory) { self.directory = directory }

    /// Takes a directory that no node runs on.
    /// - Throws: `StoreError`, for instance that it is in use.
    package init(path: String) throws { directory = try DataDirectory(path: path) }

    /// Takes as long as the passphrase is meant to take, or as the user takes to open the keyring.
    /// - Throws: `StoreError`: passphrase needed or wrong; `KeyringError`.
    package func open(passphrase: [UInt8]?) throws -> OpenedDirectory {
        try OpenedDirectory(directory, passphrase: passphrase)
    }

    /// The key first: whatever fails afterwards, nothing that it sealed can be read any more. Its file says so before
    /// the keyring forgets it, and keeps the id until everything is gone: who is interrupted goes on there.
    package func destroyKey() throws {
        try directory.destroyKey()
        try forgetKey()
    }

    /// Ends a wipe that was cut short: what is left of it neither opens nor keeps a new node from its place.
    func finishWipe() throws {
        guard try StorageKeyFile.remains(directory) != nil else { return }
        try directory.destroyOtherKeys()
        try forgetKey()
        FileScratch.clear(in: directory.path)
        try directory.removeContents()
    }

    /// A keyring that is not there, or not open, keeps nobody from wiping: what it holds opens nothing any more.
    private func forgetKey() throws {
        var ids = try StorageKeyFile.otherEntries(directory)
        if case .filesAndEntry(let id)? = try StorageKeyFile.remains(directory) { ids.append(id) }
        for id in ids { try? SecretService.forget(id: id, mayAsk: false) }
    }

    /// Nothing may have the store open.
    package func removeFiles() throws {
        FileScratch.clear(in: directory.path)
        try directory.removeFiles()
    }
}
