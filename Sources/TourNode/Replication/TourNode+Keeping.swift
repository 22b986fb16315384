import Dispatch
import TourAPI
import TourCrypto
import TourKeyring
import TourModel
import TourStore

// Keeping this node's data, and keeping it from others. Source: `Protocol/01-identity.md`, "At rest".
extension TourNode {
    /// Holds the directory once this node is gone.
    package nonisolated var locked: LockedDirectory { LockedDirectory(lock) }

    /// - Throws: `NodeError` when the directory itself holds the key: forgetting it would protect nothing.
    package func checkLockable() throws {
        guard keyHome != .file else {
            throw NodeError.keeping(.nothingToLock)
        }
    }

    /// The place where the storage key is to be kept from now on.
    package enum KeyChange: Sendable {
        case file
        case passphrase([UInt8])
        case keyring
    }

    /// Moves the storage key: the new place has it before the old one loses it.
    /// - Parameter current: the present passphrase, if there is one: access to a running node is not enough to change
    ///   it.
    /// - Throws: also `busy` while another change is in progress, and `wiped` when everything was destroyed
    ///   meanwhile.
    package func moveKey(to change: KeyChange, current: [UInt8]?) async throws -> KeyState {
        try beginMovingKey(change)
        defer { isMovingKey = false }
        let directory = lock
        keyHome = try await Self.besideTheLoop {
            let opened = try OpenedDirectory(directory, passphrase: current)
            let home = try Self.place(opened.key, by: change, directory, .present)
            if case .keyring(let id) = opened.home { try? SecretService.forget(id: id, mayAsk: false) }
            return home
        }
        return KeyState(storageKey: storageKeyWord)
    }

    /// Seals everything under a new key, kept in the given place, and destroys the old key. All other access to the
    /// store waits meanwhile: a second, or a minute for a notebook with many files.
    /// - Returns: the progress, where only the latest unread report is kept; ends with `done`, or throws as `moveKey`
    ///   does.
    package nonisolated func renewKey(
        into change: KeyChange, current: [UInt8]?
    ) -> AsyncThrowingStream<KeyStep, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { reports in
            Task {
                do {
                    let state = try await renewKey(into: change, current: current) {
                        reports.yield(KeyStep(event: .progress, percent: $0))
                    }
                    reports.yield(KeyStep(event: .done, percent: 100, storageKey: state.storageKey))
                    reports.finish()
                } catch {
                    reports.finish(throwing: error)
                }
            }
        }
    }

    private func renewKey(
        into change: KeyChange, current: [UInt8]?, progress: @escaping @Sendable (_ percent: Int) -> Void
    ) async throws -> KeyState {
        try beginMovingKey(change)
        defer { isMovingKey = false }
        let (directory, store) = (lock, store)
        keyHome = try await Self.besideTheLoop {
            let opened = try OpenedDirectory(directory, passphrase: current)
            return try KeyRenewal.run(opened, store, progress: progress) { key in
                try Self.place(key, by: change, directory, .next)
            }
        }
        return KeyState(storageKey: storageKeyWord)
    }

    /// - Throws: when another change is in progress, or the new passphrase is invalid.
    private func beginMovingKey(_ change: KeyChange) throws(NodeError) {
        guard !isMovingKey else {
            throw NodeError.keeping(.movingKey)
        }
        if case .passphrase(let new) = change, new.isEmpty {
            throw NodeError.keeping(.emptyPassphrase)
        }
        isMovingKey = true
    }

    private nonisolated static func place(
        _ key: SecretBytes, by change: KeyChange, _ directory: DataDirectory, _ slot: StorageKeyFile.Slot
    ) throws -> StorageKeyFile.Home {
        switch change {
        case .file:
            try StorageKeyFile.expose(directory, slot, key: key)
            return .file
        case .passphrase(let passphrase):
            try StorageKeyFile.protect(directory, slot, key: key, passphrase: passphrase)
            return .passphrase
        case .keyring:
            let id = StorageKeyFile.makeID()
            try SecretService.keep(key, id: id, mayAsk: true)
            do {
                try StorageKeyFile.entrust(directory, slot, id: id)
            } catch {
                try? SecretService.forget(id: id, mayAsk: false)
                throw error
            }
            return .keyring(id: id)
        }
    }

    var storageKeyWord: String { keyHome.word }

    /// Writes a backup, while everything else goes on.
    /// - Parameter path: absolute.
    /// - Returns: the progress, where only the latest unread report is kept; ends with `done`, or throws a
    ///   `StoreError`.
    package nonisolated func backUp(
        to path: String, passphrase: [UInt8]
    ) throws -> AsyncThrowingStream<BackupStep, any Error> {
        guard !passphrase.isEmpty else { throw NodeError.keeping(.backupWithoutPassphrase) }
        guard path.hasPrefix("/") else { throw NodeError.keeping(.badBackupPath) }
        let store = store
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { reports in
            DispatchQueue.global(qos: .utility).async {
                do {
                    try store.backUp(to: path, passphrase: passphrase) { done, total in
                        let percent = total > 0 ? min(99, done * 100 / total) : 0
                        reports.yield(BackupStep(event: .progress, percent: percent, path: path))
                    }
                    reports.yield(BackupStep(event: .done, percent: 100, path: path))
                    reports.finish()
                } catch {
                    reports.finish(throwing: error)
                }
            }
        }
    }

    /// The result of restoring a backup.
    package struct Restored: Sendable {
        /// The names of the tours in it.
        package var tours: [String]
        /// The storage key's place: `file`, `passphrase` or `keyring`.
        package var storageKey: String
    }

    /// Restores a backup into an empty data directory; the next node there waits to learn how far others hold its
    /// logs. The key goes where a first start would put it.
    ///
    /// - Parameter settings: name the directory, and its new passphrase if it is to have one.
    /// - Parameter isRetiring: the keys in the backup are not used again: its user joins anew.
    /// - Throws: `StoreError`; the directory is then as empty as before, or the error says what is missing.
    package static func restore(
        from path: String, passphrase: [UInt8], isRetiring: Bool, settings: NodeSettings,
        progress: (_ done: Int, _ total: Int) -> Void
    ) throws -> Restored {
        let directory = try DataDirectory(path: settings.dataDirectory)
        let key = try directory.restore(from: path, passphrase: passphrase, progress: progress)
        let store = try OpenedDirectory(directory, key: key).restoredStore()
        try StoreOrigin.noticeRestore(store, isRetiring: isRetiring)
        let names = try store.tours().map(\.name)
        try store.close()
        // The key comes last: nothing here opens without it, so no node starts from an incomplete directory.
        let home = try settings.withPassphrase { new -> StorageKeyFile.Home in
            guard let new else { return try OpenedDirectory.place(key, directory) }
            try StorageKeyFile.protect(directory, key: key, passphrase: new)
            return .passphrase
        }
        return Restored(tours: names, storageKey: home.word)
    }
}

extension StorageKeyFile.Home {
    /// As commands and JSON spell it.
    fileprivate var word: String {
        switch self {
        case .file: "file"
        case .passphrase: "passphrase"
        case .keyring: "keyring"
        }
    }
}
