import Dispatch
import TourCrypto
import TourKeyring
import TourModel
import TourStore
import TourWords

// What keeps the data of this node, and what keeps it from others. Source: `Protocol/01-identity.md`, "At rest".
extension TourNode {
    /// What holds the directory when this node has gone.
    package nonisolated var locked: LockedDirectory { LockedDirectory(lock) }

    /// - Throws: `NodeError` when whoever has the directory has the key: forgetting it would be for show.
    package func checkLockable() throws {
        guard keyHome != .file else {
            throw NodeError(
                "no-passphrase", Phrase("The storage key lies in a plain file: locking would protect nothing."))
        }
    }

    /// Where the storage key is to lie from now on.
    package enum KeyChange: Sendable {
        case file
        case passphrase([UInt8])
        case keyring
    }

    /// Moves the storage key: the new place has it before the old one loses it.
    /// - Parameter current: the passphrase so far, if there is one: whoever finds a running node does not change it.
    /// - Throws: also `busy` while another change is under way, and `wiped` when everything was destroyed meanwhile.
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

    /// How far a new key is.
    package struct KeyStep: Encodable, Sendable {
        package enum Kind: String, Encodable, Sendable {
            case progress, done
        }

        package var event: Kind
        /// Of a hundred.
        package var percent: Int
        /// Where it lies, at the end.
        package var storageKey: String?
    }

    /// Seals everything under a new key, which lies in the place that is named; the old one is destroyed. Whatever else
    /// reads or writes waits meanwhile: a second, or a minute for a notebook with many files.
    /// - Returns: how far it is, of several reports the latest; ends with `done`, or throws as `moveKey` does.
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

    /// - Throws: when another change is under way, or the passphrase to come is none.
    private func beginMovingKey(_ change: KeyChange) throws(NodeError) {
        guard !isMovingKey else {
            throw NodeError("busy", Phrase("The key is being moved already; try again in a moment."))
        }
        if case .passphrase(let new) = change, new.isEmpty {
            throw NodeError("passphrase-empty", Phrase("A passphrase has at least one character."))
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

    package struct KeyState: Encodable, Sendable {
        package var storageKey: String
    }

    var storageKeyWord: String { keyHome.word }

    /// How far a backup is.
    package struct BackupStep: Encodable, Sendable {
        package enum Kind: String, Encodable, Sendable {
            case progress, done
        }

        package var event: Kind
        /// Of a hundred.
        package var percent: Int
        package var path: String
    }

    /// Writes a backup, beside everything else.
    /// - Parameter path: absolute.
    /// - Returns: how far it is, of several reports the latest; ends with `done`, or throws a `StoreError`.
    package nonisolated func backUp(
        to path: String, passphrase: [UInt8]
    ) throws -> AsyncThrowingStream<BackupStep, any Error> {
        guard !passphrase.isEmpty else { throw NodeError("passphrase-empty", Phrase("A backup needs a passphrase.")) }
        guard path.hasPrefix("/") else { throw NodeError("bad-path", Phrase("A backup's path starts with a slash.")) }
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

    /// What takes long and needs nothing of the node.
    package nonisolated static func besideTheLoop<Value: Sendable>(
        _ work: @Sendable () throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try work() }
    }

    /// What a backup was made into.
    package struct Restored: Sendable {
        /// The names of the tours in it.
        package var tours: [String]
        /// Where the storage key lies: `file`, `passphrase` or `keyring`.
        package var storageKey: String
    }

    /// Opens a backup into an empty data directory; the next node there waits for what others hold of its logs. Its key
    /// goes where a first start would put it.
    ///
    /// - Parameter settings: which directory, and the passphrase of the new one, if it is to have one.
    /// - Parameter isRetiring: the keys in the backup are not used again: its user joins anew.
    /// - Throws: `StoreError`; the directory is as empty as before, or says what is missing.
    package static func restore(
        from path: String, passphrase: [UInt8], isRetiring: Bool, settings: NodeSettings,
        progress: (_ done: Int, _ total: Int) -> Void
    ) throws -> Restored {
        let directory = try DataDirectory(path: settings.dataDirectory)
        let key = try directory.restore(from: path, passphrase: passphrase, progress: progress)
        let store = try OpenedDirectory(directory, key: key).store()
        try noticeRestore(store, isRetiring: isRetiring)
        let names = try store.tours().map(\.name)
        try store.close()
        // Last: without its key nothing here opens, so no node starts from half of this.
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
