import Glibc
import TourCrypto
import TourModel

/// A file being saved for the user. It is deleted unless it is kept.
final class TargetFile {
    /// The most files of one name in a directory, distinguished by numbers, before a save is refused.
    private static let namesMax = 999

    private static let mode: mode_t = 0o644
    private static let randomBytes = 8

    private let directory: String
    private let temporary: String
    private let descriptor: Int32
    private var isKept = false

    /// - Throws: `badPath` for a directory that is missing or does not accept files.
    init(in directory: String) throws(StoreError) {
        self.directory = directory
        temporary = directory + "/tour-chat-" + Hex.encode(Randomness.bytes(Self.randomBytes)) + ".part"
        descriptor = Glibc.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, Self.mode)
        guard descriptor >= 0 else { throw StoreError(errno: errno, writing: directory) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        if !isKept { unlink(temporary) }
    }

    /// Reserves the disk space for the whole file.
    func reserve(_ bytes: UInt64) throws(StoreError) { try PrivateFile.reserve(descriptor, bytes: bytes) }

    func write(_ bytes: [UInt8]) throws(StoreError) { try PrivateFile.write(bytes, to: descriptor) }

    /// Synchronises the file, then takes the first free name: the name, "name (2)" and so on.
    /// - Returns: the path.
    func keep(as name: SafeFileName) throws(StoreError) -> String {
        guard fsync(descriptor) == 0 else { throw StoreError(errno: errno) }
        let path = try claim(name)
        guard rename(temporary, path) == 0 else {
            let code = errno
            unlink(path)
            throw StoreError(errno: code, writing: path)
        }
        isKept = true
        try PrivateFile.synchronize(directory: directory)
        return path
    }

    /// Claims a name with an empty file that the real one then replaces: not every file system has a rename that spares
    /// an existing file.
    private func claim(_ name: SafeFileName) throws(StoreError) -> String {
        for number in 1...TargetFile.namesMax {
            let path = directory + "/" + (number == 1 ? name : name.numbered(number)).text
            let made = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, Self.mode)
            if made >= 0 {
                close(made)
                return path
            }
            guard errno == EEXIST else { throw StoreError(errno: errno, writing: path) }
        }
        throw .badPath(directory + "/" + name.text, .nameTaken)
    }
}
