import TourCrypto
import TourKeyring
import TourStore

/// Replaces the storage key, so that a holder of the old one can open nothing here any more. At each moment one of
/// the two opens everything; the next start completes or reverts an interrupted change.
/// Source: `Protocol/01-identity.md`, "A new key".
enum KeyRenewal {
    /// - Parameter keep: writes the new key to its place, marked as the next one.
    /// - Parameter progress: in percent.
    /// - Throws: the old key is then still in use, or the next start finds out which one is.
    static func run(
        _ opened: OpenedDirectory, _ store: TourStore, progress: (_ percent: Int) -> Void,
        keep: (_ key: SecretBytes) throws -> StorageKeyFile.Home
    ) throws -> StorageKeyFile.Home {
        let directory = opened.directory
        let key = SecretBytes.random(count: Seal.keyBytes)
        let home: StorageKeyFile.Home
        do {
            home = try keep(key)
            try directory.keepKeyReachable()
            try store.renewKey(key) { done, total in progress(min(99, done * 100 / max(total, 1))) }
        } catch {
            // A disk that failed at the end may have written everything all the same, and its log may hold a commit
            // that was reported as failed: only what can be read once the log is empty counts.
            if (try? store.checkpoint(.whole)) != nil,
                (try? TourStore.isSealed(directory, under: opened.key)) == true
            {
                try? drop(directory)
            }
            throw error
        }
        try adopt(directory)
        return home
    }

    /// Completes or reverts an interrupted change.
    /// - Returns: the key that opens the database; nil where no change was in progress.
    /// - Throws: `passphraseNeeded` and `passphraseWrong` when that key wants another passphrase.
    static func finish(
        _ directory: DataDirectory, passphrase: [UInt8]?
    ) throws -> (key: SecretBytes, home: StorageKeyFile.Home)? {
        guard directory.hasNextKey else {
            try endFormer(directory)
            return nil
        }
        var refusal: (any Error)?
        for slot in [StorageKeyFile.Slot.present, .next] {
            guard let found = open(directory, slot, passphrase, &refusal),
                try TourStore.isSealed(directory, under: found.key)
            else { continue }
            if slot == .next { try adopt(directory) } else { try drop(directory) }
            return found
        }
        throw refusal ?? StoreError.damaged(.keyMismatch)
    }

    private static func open(
        _ directory: DataDirectory, _ slot: StorageKeyFile.Slot, _ passphrase: [UInt8]?, _ refusal: inout (any Error)?
    ) -> (key: SecretBytes, home: StorageKeyFile.Home)? {
        do {
            guard let home = try StorageKeyFile.home(directory, slot) else { return nil }
            if case .keyring(let id) = home { return (try SecretService.key(id: id, mayAsk: true), home) }
            return try StorageKeyFile.key(directory, slot, passphrase: passphrase).map { ($0, home) }
        } catch {
            refusal = refusal ?? error
            return nil
        }
    }

    private static func adopt(_ directory: DataDirectory) throws {
        try directory.adoptNextKey()
        try endFormer(directory)
    }

    /// Removes the key from the keyring first, while its file still names it.
    private static func endFormer(_ directory: DataDirectory) throws {
        if case .keyring(let id)? = try StorageKeyFile.home(directory, .former),
            try StorageKeyFile.home(directory) != .keyring(id: id)
        {
            try? SecretService.forget(id: id, mayAsk: false)
        }
        try directory.endFormerKey()
    }

    private static func drop(_ directory: DataDirectory) throws {
        if case .keyring(let id)? = try StorageKeyFile.home(directory, .next) {
            try? SecretService.forget(id: id, mayAsk: false)
        }
        try directory.dropNextKey()
    }
}
