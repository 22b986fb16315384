import Glibc
import TourCrypto
import TourModel

/// The directory of sealed files: `blobs/TOUR/BLOB` in the data directory, both names 64 hexadecimal digits of our own,
/// so that no text from a peer is ever part of a path. A file being sealed has a random name that ends in `.new`.
/// Directories have mode 0700, files 0600; none is opened through a symbolic link.
struct BlobDirectory: Sendable {
    private static let newEnd = ".new"
    private static let randomBytes = 16
    private static let modes: (directory: mode_t, file: mode_t) = (0o700, 0o600)

    let path: String

    init(in dataDirectory: String) { path = dataDirectory + "/blobs" }

    /// Opens a file for reading and writing. A new one is empty, and its name durable.
    /// - Returns: a descriptor that the caller closes.
    func open(_ place: BlobPlace) throws(StoreError) -> Int32 {
        let directory = try directory(of: place.tour)
        defer { close(directory) }
        let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC
        let found = openat(directory, place.id.hex, flags, Self.modes.file)
        if found >= 0 { return found }
        guard errno == ENOENT else { throw StoreError(errno: errno) }
        let made = openat(directory, place.id.hex, flags | O_CREAT | O_EXCL, Self.modes.file)
        guard made >= 0 else { throw StoreError(errno: errno) }
        guard fsync(directory) == 0 else {
            let code = errno
            close(made)
            throw StoreError(errno: code)
        }
        return made
    }

    /// Creates a file whose id is known only once all of it is written.
    /// - Returns: a descriptor that the caller closes, and the name for `keep` or `discard`.
    func makeTemporary(in tour: TourID) throws(StoreError) -> (descriptor: Int32, name: String) {
        let directory = try directory(of: tour)
        defer { close(directory) }
        let name = Hex.encode(Randomness.bytes(Self.randomBytes)) + Self.newEnd
        let descriptor = openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, Self.modes.file)
        guard descriptor >= 0 else { throw StoreError(errno: errno) }
        return (descriptor, name)
    }

    /// Renames the file to its id. The caller has synchronised its content; after this returns the name is durable too.
    func keep(temporary name: String, as place: BlobPlace) throws(StoreError) {
        let directory = try directory(of: place.tour)
        defer { close(directory) }
        guard renameat(directory, name, directory, place.id.hex) == 0, fsync(directory) == 0 else {
            throw StoreError(errno: errno)
        }
    }

    func discard(temporary name: String, in tour: TourID) { unlink("\(path)/\(tour.hex)/\(name)") }

    /// A missing file is no error; nor is one that cannot be removed now: the next start removes files without a row.
    func remove(_ place: BlobPlace) { unlink("\(path)/\(place.tour.hex)/\(place.id.hex)") }

    func remove(_ tour: TourID) { remove(directory: tour.hex) { Self.isOurs($0) } }

    /// Removes all of our files, and the directory if nothing else is in it.
    func removeAll() throws(StoreError) {
        for name in Self.names(path) where Hex.decode(name)?.count == Bytes32.count {
            remove(directory: name) { Self.isOurs($0) }
        }
        let isLeft = rmdir(path) != 0 && ![ENOTEMPTY, EEXIST, EBUSY, ENOENT, ENOTDIR].contains(errno)
        if isLeft { throw StoreError(errno: errno) }
    }

    /// Removes our files without a row: the remains of interrupted work.
    func removeStrays(keeping isKnown: (BlobPlace) -> Bool) {
        for name in Self.names(path) {
            guard let tour = TourID(hex: name) else { continue }
            remove(directory: name) { file in
                guard Self.isOurs(file) else { return false }
                return BlobID(hex: file).map { !isKnown(BlobPlace(tour: tour, id: $0)) } ?? true
            }
        }
    }

    /// - Returns: nil when there is no such file.
    func size(of place: BlobPlace) -> UInt64? {
        var status = stat()
        guard lstat("\(path)/\(place.tour.hex)/\(place.id.hex)", &status) == 0 else { return nil }
        return UInt64(clamping: status.st_size)
    }

    /// The size of the disk, and the free space for us.
    func disk() throws(StoreError) -> FreeSpace {
        // A missing directory will be created where its parent is.
        guard let room = FreeSpace(at: path) ?? FreeSpace(at: PrivateFile.directory(of: path)) else {
            throw StoreError(errno: errno)
        }
        return room
    }

    private func remove(directory name: String, where isMeant: (String) -> Bool) {
        let directory = path + "/" + name
        for file in Self.names(directory) where isMeant(file) { unlink(directory + "/" + file) }
        // Fails while the directory is not empty.
        rmdir(directory)
    }

    private static func isOurs(_ name: String) -> Bool {
        let digits = name.hasSuffix(newEnd) ? name.dropLast(newEnd.count) : name[...]
        let count = name.hasSuffix(newEnd) ? randomBytes : Bytes32.count
        return Hex.decode(String(digits))?.count == count
    }

    /// Empty for anything but a directory, symbolic links included.
    private static func names(_ path: String) -> [String] {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }

    /// Creates the directory durably if it is missing.
    /// - Returns: a descriptor that the caller closes.
    private func directory(of tour: TourID) throws(StoreError) -> Int32 {
        if mkdir(path, Self.modes.directory) == 0 {
            try PrivateFile.synchronize(directory: PrivateFile.directory(of: path))
        } else if errno != EEXIST {
            throw StoreError(errno: errno)
        }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let top = Glibc.open(path, flags)
        guard top >= 0 else { throw StoreError(errno: errno) }
        defer { close(top) }
        if mkdirat(top, tour.hex, Self.modes.directory) == 0 {
            guard fsync(top) == 0 else { throw StoreError(errno: errno) }
        } else if errno != EEXIST {
            throw StoreError(errno: errno)
        }
        let directory = openat(top, tour.hex, flags)
        guard directory >= 0 else { throw StoreError(errno: errno) }
        return directory
    }
}
