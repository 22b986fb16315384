import Glibc
import TourCrypto

/// The random key that seals names and secrets in the database. Source: `Protocol/01-identity.md`, "At rest".
///
/// ```
/// plain:     "TCKEY" | version u8 = 1 | kind u8 = 0 | key 32
/// protected: "TCKEY" | version u8 = 1 | kind u8 = 1 | passes u32 | memory bytes u64 | salt 16 | sealed key 72
/// entrusted: "TCKEY" | version u8 = 1 | kind u8 = 2 | id 16
/// destroyed: "TCKEY" | version u8 = 1 | kind u8 = 3 | id 16, or random bytes over what was there
/// ```
/// Integers are big-endian. The sealed key's associated data is everything before it. A plain file protects against
/// nobody who can read the disk; on flash, protecting it later may leave old copies of the plain one behind. An
/// entrusted key is in a keyring, under the id in the file.
package enum StorageKeyFile {
    private static let start = Array("TCKEY".utf8) + [1]
    private static let plainKind: UInt8 = 0
    private static let protectedKind: UInt8 = 1
    private static let entrustedKind: UInt8 = 2
    private static let destroyedKind: UInt8 = 3
    private static let idBytes = 16
    private static let entrustedLength = start.count + 1 + idBytes
    private static let keyBytes = 32
    private static let plainLength = start.count + 1 + keyBytes
    private static let protectedPrefixLength = start.count + 1 + 4 + 8 + Passphrase.Parameters.saltBytes
    private static let protectedLength = protectedPrefixLength + keyBytes + Seal.overheadBytes

    /// Reads the key; a first start creates it, protected when a passphrase is given. A plain file opens whatever the
    /// passphrase.
    ///
    /// - Parameter parameters: for a new key; nil for those that suit this machine.
    /// - Throws: `passphraseNeeded`, `passphraseWrong`, `keyElsewhere`, `damaged` (also when there is a database but no
    ///   key), or why the file cannot be read or written.
    package static func open(
        _ directory: DataDirectory, passphrase: [UInt8]?, parameters: Passphrase.Parameters? = nil
    ) throws(StoreError) -> SecretBytes {
        if let key = try key(directory, .present, passphrase: passphrase) { return key }
        return try create(directory, passphrase, parameters)
    }

    /// - Returns: nil when there is no such file.
    package static func key(
        _ directory: DataDirectory, _ slot: Slot, passphrase: [UInt8]?
    ) throws(StoreError) -> SecretBytes? {
        guard let bytes = try PrivateFile.read(directory.keyFile(slot), limit: protectedLength + 1) else { return nil }
        guard bytes.starts(with: start), bytes.count > start.count else { throw .damaged(.keyFile) }
        switch (bytes[start.count], bytes.count) {
        case (plainKind, plainLength):
            return SecretBytes(bytes.suffix(keyBytes))
        case (protectedKind, protectedLength):
            guard let passphrase else { throw .passphraseNeeded }
            return try unwrap(bytes, passphrase)
        case (entrustedKind, entrustedLength): throw .keyElsewhere
        case (destroyedKind, _): throw .wiped
        default: throw .damaged(.keyFile)
        }
    }

    /// Rewrites the file so that only the passphrase opens it; also changes a passphrase.
    ///
    /// - Parameter key: the result of `open` for this directory, or the next key.
    package static func protect(
        _ directory: DataDirectory, _ slot: Slot = .present, key: SecretBytes, passphrase: [UInt8],
        parameters: Passphrase.Parameters? = nil
    ) throws(StoreError) {
        let parameters = parameters ?? suitableParameters
        let prefix = start + [protectedKind] + parameters.encoded
        let wrapping = try Passphrase.storeKey(passphrase, parameters)
        let sealed = key.withBytes { Seal.seal($0, key: wrapping, associatedData: prefix) }
        try directory.replaceKey(slot, with: prefix + sealed)
    }

    /// Rewrites the file so that anybody who can read it has the key.
    ///
    /// - Parameter key: the result of `open` for this directory, or the next key.
    package static func expose(
        _ directory: DataDirectory, _ slot: Slot = .present, key: SecretBytes
    ) throws(StoreError) {
        let bytes = start + [plainKind] + key.exposedCopy()
        try directory.replaceKey(slot, with: bytes)
    }

    /// An id for a key that will be entrusted to a keyring.
    package static func makeID() -> [UInt8] { Randomness.bytes(idBytes) }

    /// Rewrites the file so that it names the key's entry in a keyring, which must already have it.
    package static func entrust(
        _ directory: DataDirectory, _ slot: Slot = .present, id: [UInt8]
    ) throws(StoreError) {
        precondition(id.count == idBytes, "an id is one of ours")
        try directory.replaceKey(slot, with: start + [entrustedKind] + id)
    }

    /// The place of the key.
    package enum Home: Hashable, Sendable {
        /// In plaintext in its file.
        case file
        /// In its file, sealed under a passphrase.
        case passphrase
        /// In a keyring, under this id.
        case keyring(id: [UInt8])
    }

    /// - Returns: nil when there is no such key.
    package static func home(_ directory: DataDirectory, _ slot: Slot = .present) throws(StoreError) -> Home? {
        guard let bytes = try PrivateFile.read(directory.keyFile(slot), limit: protectedLength + 1) else { return nil }
        guard bytes.count > start.count else { return .file }
        switch bytes[start.count] {
        case protectedKind: return .passphrase
        case entrustedKind where bytes.count == entrustedLength: return .keyring(id: Array(bytes.suffix(idBytes)))
        // Damage is reported when the key is opened.
        default: return .file
        }
    }

    /// The bytes that overwrite a key, of the same length: a mark that it is destroyed, and the keyring's id if an
    /// entry must still be removed.
    static func mark(over bytes: [UInt8]) -> [UInt8] {
        let head = start + [destroyedKind]
        if bytes.count == entrustedLength, [entrustedKind, destroyedKind].contains(bytes[start.count]) {
            return head + bytes.suffix(idBytes)
        }
        return Array((head + Randomness.bytes(max(0, bytes.count - head.count))).prefix(bytes.count))
    }

    /// The remaining steps of an interrupted wipe.
    package enum Remains: Hashable, Sendable {
        /// Only files remain.
        case files
        /// The keyring may still have a key under this id.
        case filesAndEntry(id: [UInt8])
    }

    /// Further keyring entries that a wipe must remove: those of a next or former key.
    package static func otherEntries(_ directory: DataDirectory) throws(StoreError) -> [[UInt8]] {
        var ids: [[UInt8]] = []
        for slot in [Slot.next, .former] {
            let bytes = try PrivateFile.read(directory.keyFile(slot), limit: protectedLength + 1) ?? []
            guard bytes.starts(with: start + [destroyedKind]), bytes.count == entrustedLength else { continue }
            ids.append(Array(bytes.suffix(idBytes)))
        }
        return ids
    }

    /// - Returns: nil for a directory on which no wipe has begun.
    package static func remains(_ directory: DataDirectory) throws(StoreError) -> Remains? {
        guard let bytes = try PrivateFile.read(directory.storageKey, limit: protectedLength + 1),
            bytes.starts(with: start + [destroyedKind])
        else { return nil }
        return bytes.count == entrustedLength ? .filesAndEntry(id: Array(bytes.suffix(idBytes))) : .files
    }

    /// The parameters that suit this machine; a random salt.
    static var suitableParameters: Passphrase.Parameters { .random(machineMemoryBytes: machineMemoryBytes) }

    /// Whether a passphrase is needed for a directory that another process may hold; false when there is no key yet,
    /// and for a directory that cannot be read. While a new key replaces another, either may need it.
    package static func isProtected(in directory: String) -> Bool {
        [Slot.present, .next].contains { slot in
            let bytes = try? PrivateFile.read(DataDirectory.keyFile(slot, in: directory), limit: protectedLength + 1)
            return bytes?.dropFirst(start.count).first == protectedKind
        }
    }

    private static func create(
        _ directory: DataDirectory, _ passphrase: [UInt8]?, _ parameters: Passphrase.Parameters?
    ) throws(StoreError) -> SecretBytes {
        // A new key beside an old database would open none of its secrets and hide the loss of the old key.
        guard !PrivateFile.exists(directory.database) else { throw .damaged(.keyMissing) }
        let key = SecretBytes.random(count: keyBytes)
        if let passphrase {
            try protect(directory, key: key, passphrase: passphrase, parameters: parameters)
        } else {
            try expose(directory, key: key)
        }
        return key
    }

    private static func unwrap(_ bytes: [UInt8], _ passphrase: [UInt8]) throws(StoreError) -> SecretBytes {
        let fields = bytes[(start.count + 1)..<protectedPrefixLength]
        guard let parameters = Passphrase.Parameters(stored: fields) else { throw .damaged(.keyFile) }
        let wrapping = try Passphrase.storeKey(passphrase, parameters)
        do {
            var plain = try Seal.open(
                bytes[protectedPrefixLength...], key: wrapping, associatedData: bytes[..<protectedPrefixLength])
            return SecretBytes(taking: &plain)
        } catch {
            throw .passphraseWrong
        }
    }

    private static var machineMemoryBytes: UInt64 {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let pageBytes = sysconf(Int32(_SC_PAGESIZE))
        return UInt64(clamping: pages) * UInt64(clamping: pageBytes)
    }
}
