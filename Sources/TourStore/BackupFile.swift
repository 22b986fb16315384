import Glibc
import TourCrypto
import TourModel

/// A sealed file that contains a database and its key. Source: `Protocol/01-identity.md`, "Backups".
///
/// ```
/// "TCBACKUP" | version u8 = 1 | passes u32 | memory bytes u64 | salt 16 | check 16 | proof 40 | chunks
/// chunk: length u32 | nonce 24, up to 65,536 bytes sealed, tag 16
/// ```
/// Integers are big-endian. The chunks contain the storage key, 32 bytes, and the database. A chunk's associated data
/// is everything before the first chunk, the chunk's number as u64, and u8 1 for the last: none can be left out,
/// repeated or moved. The check is H("backup", everything before it): it distinguishes damage and truncation from a
/// wrong passphrase, which the proof reveals: an empty plaintext, sealed with everything before it as associated data.
enum BackupFile {
    private static let start = Array("TCBACKUP".utf8) + [1]
    private static let prefixLength = start.count + 4 + 8 + Passphrase.Parameters.saltBytes
    private static let checkBytes = 16
    private static let headerLength = prefixLength + checkBytes + Seal.overheadBytes
    private static let chunkBytes = 65_536
    private static let keyBytes = 32

    /// After this returns the file survives a power cut; until then any file of that name is unchanged.
    ///
    /// - Parameter progress: receives the bytes written and the total.
    static func write(
        to path: String, key: SecretBytes, database: String, passphrase: [UInt8], parameters: Passphrase.Parameters,
        progress: (_ done: Int, _ total: Int) -> Void
    ) throws(StoreError) {
        let sealing = try Passphrase.storeKey(passphrase, parameters)
        let checked = checked(start + parameters.encoded)
        let header = checked + Seal.seal([UInt8](), key: sealing, associatedData: checked)
        let source = Glibc.open(database, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard source >= 0 else { throw StoreError(errno: errno) }
        defer { close(source) }
        let total = try PrivateFile.size(of: source)
        let temporary = PrivateFile.temporary(path)
        unlink(temporary)
        // The mode is not tightened afterwards: a memory stick has no modes, and the contents are sealed.
        let target = Glibc.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw StoreError(errno: errno, writing: path) }
        do throws(StoreError) {
            try PrivateFile.write(header, to: target)
            var plain = key.exposedCopy()
            var done = 0
            var number: UInt64 = 0
            while true {
                let read = try PrivateFile.read(source, count: chunkBytes - plain.count)
                plain += read
                done += read.count
                // The first chunk that is not full is the last, an empty one if necessary.
                let isLast = plain.count < chunkBytes
                try write(plain, number, isLast: isLast, header, sealing, to: target)
                progress(done, max(total, done))
                if isLast { break }
                number += 1
                plain = []
            }
            guard fsync(target) == 0 else { throw StoreError(errno: errno) }
            guard rename(temporary, path) == 0 else { throw StoreError(errno: errno, writing: path) }
        } catch {
            close(target)
            unlink(temporary)
            throw error
        }
        close(target)
        try PrivateFile.synchronize(directory: PrivateFile.directory(of: path))
    }

    private static func checked(_ prefix: [UInt8]) -> [UInt8] {
        prefix + Hash.of(.backup, prefix).bytes.prefix(checkBytes)
    }

    /// Checks early for errors that would otherwise show at the end.
    static func checkTarget(_ path: String) throws(StoreError) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { throw .badPath(path, .isDirectory) }
        guard access(PrivateFile.directory(of: path) + "/.", W_OK | X_OK) == 0 else {
            throw StoreError(errno: errno, writing: path)
        }
    }

    private static func write(
        _ plain: [UInt8], _ number: UInt64, isLast: Bool, _ header: [UInt8], _ key: SecretBytes, to target: Int32
    ) throws(StoreError) {
        let sealed = Seal.seal(plain, key: key, associatedData: header + place(number, isLast: isLast))
        var chunk: [UInt8] = []
        chunk.append(bigEndian: UInt32(sealed.count))
        try PrivateFile.write(chunk + sealed, to: target)
    }

    /// Opens a backup, and writes its database to a new file.
    ///
    /// - Returns: the storage key.
    /// - Throws: `passphraseWrong`, also for an altered proof; `damaged(.backup)`; `badPath`.
    static func read(
        from path: String, passphrase: [UInt8], database: String, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(StoreError) -> SecretBytes {
        let source = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw StoreError(errno: errno, reading: path) }
        defer { close(source) }
        guard try !PrivateFile.isDirectory(source) else { throw .badPath(path, .isDirectory) }
        let header = try PrivateFile.read(source, count: headerLength)
        let key = try key(of: header, passphrase)
        let total = try PrivateFile.size(of: source)
        let target = try PrivateFile.open(database, flags: O_WRONLY | O_CREAT | O_EXCL)
        defer { close(target) }
        var found: SecretBytes?
        var done = headerLength
        var number: UInt64 = 0
        while true {
            let (plain, length) = try chunk(number, of: source, header, key)
            done += length
            var content = plain[...]
            if found == nil {
                guard plain.count >= keyBytes else { throw .damaged(.backup) }
                found = SecretBytes(plain.prefix(keyBytes))
                content = plain.dropFirst(keyBytes)
            }
            try PrivateFile.write(Array(content), to: target)
            progress(done, max(total, done))
            if plain.count < chunkBytes { break }
            number += 1
        }
        guard fsync(target) == 0 else { throw StoreError(errno: errno) }
        guard let storageKey = found, try PrivateFile.read(source, count: 1).isEmpty else { throw .damaged(.backup) }
        return storageKey
    }

    /// The key of the chunks that follow this header.
    private static func key(of header: [UInt8], _ passphrase: [UInt8]) throws(StoreError) -> SecretBytes {
        let prefix = Array(header.prefix(prefixLength))
        let known = header.prefix(prefixLength + checkBytes)
        guard header.count == headerLength, prefix.starts(with: start), known.elementsEqual(checked(prefix)),
            let parameters = Passphrase.Parameters(stored: prefix.dropFirst(start.count))
        else { throw .damaged(.backup) }
        let key = try Passphrase.storeKey(passphrase, parameters)
        let proof = header.dropFirst(known.count)
        guard (try? Seal.open(proof, key: key, associatedData: known)) != nil else { throw .passphraseWrong }
        return key
    }

    /// - Returns: the opened chunk, and its length in the file.
    private static func chunk(
        _ number: UInt64, of source: Int32, _ header: [UInt8], _ key: SecretBytes
    ) throws(StoreError) -> (plain: [UInt8], length: Int) {
        let length = try PrivateFile.read(source, count: 4)
        let count = length.reduce(0) { $0 << 8 | Int($1) }
        guard length.count == 4, (Seal.overheadBytes...Seal.overheadBytes + chunkBytes).contains(count) else {
            throw .damaged(.backup)
        }
        let sealed = try PrivateFile.read(source, count: count)
        let isLast = count < Seal.overheadBytes + chunkBytes
        do {
            let data = header + place(number, isLast: isLast)
            return (try Seal.open(sealed, key: key, associatedData: data), 4 + count)
        } catch {
            throw .damaged(.backup)
        }
    }

    private static func place(_ number: UInt64, isLast: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: number)
        return bytes + [isLast ? 1 : 0]
    }
}
