// The module that declares `stat`, CDispatch, CoreFoundation or Glibc, depends on the order in which the compiler meets
// them.
import CDispatch
import CoreFoundation
import Foundation
import Glibc
import ServerBase
import TourCrypto
import TourModel

/// The files below one folder, named by their places in it such as `blobs/…/…`: a backup, or a data directory.
/// Folders that it makes have mode 0700, files 0600, and no symbolic link is followed. Every call blocks on the disk.
package struct FileTree: Sendable {
    /// The path, without a slash at the end.
    package let path: String
    private let isOwners: Bool

    /// - Parameter isOwners: whether what root makes here belongs to the owner of the folder, as in a data directory.
    package init(path: String, isOwners: Bool = false) {
        self.path = path
        self.isOwners = isOwners
    }

    /// Receives the count of each piece of bytes that was read.
    package typealias Took = (_ bytes: Int) -> Void

    /// The path of a file.
    package func file(_ place: String) -> String { path + "/" + place }

    /// Makes the folder itself, whose parents exist.
    /// - Throws: `unavailable`, also where there is one.
    package func make() throws(Failure) {
        guard mkdir(path, 0o700) == 0 else { throw failure("cannot be made", path) }
    }

    /// The places of all files, sorted; of whatever is neither file nor folder, too.
    package func places() throws(Failure) -> [String] {
        do {
            return try FileManager.default.subpathsOfDirectory(atPath: path).filter { place in
                var status = stat()
                return lstat(file(place), &status) != 0 || status.st_mode & S_IFMT != S_IFDIR
            }.sorted()
        } catch {
            throw Failure(.unavailable, cause: "\(path) cannot be listed")
        }
    }

    /// The size of a file in bytes; 0 where there is none.
    package func size(_ place: String) -> Int64 {
        var status = stat()
        return lstat(file(place), &status) == 0 ? Int64(status.st_size) : 0
    }

    /// - Returns: nil when the file does not exist.
    /// - Throws: `unavailable`, also for a file of more than `bytesMax` bytes.
    package func read(_ place: String, bytesMax: Int) throws(Failure) -> [UInt8]? {
        guard let input = try openToRead(place) else { return nil }
        var bytes = [UInt8]()
        while true {
            let piece = try input.read()
            guard !piece.isEmpty else { return bytes }
            bytes += piece
            guard bytes.count <= bytesMax else {
                throw Failure(.unavailable, cause: "\(file(place)) is longer than such a file can be")
            }
        }
    }

    /// The hashes of a file's content; nil when the file does not exist.
    package func names(_ place: String, took: Took = { _ in }) throws(Failure) -> BlobNames? {
        guard let input = try openToRead(place) else { return nil }
        return try input.names { piece throws(Failure) in took(piece.count) }
    }

    /// Copies a file to the same place here, or to another one, over what is there: it survives a power cut once its
    /// folders are flushed too.
    /// - Returns: the hashes of its content; nil when it does not exist.
    package func copy(
        _ place: String, from source: FileTree, as name: String? = nil, took: Took = { _ in }
    ) throws(Failure) -> BlobNames? {
        guard let input = try source.openToRead(place) else { return nil }
        let output = try openToWrite(name ?? place)
        let names = try input.names { piece throws(Failure) in
            try output.write(piece)
            took(piece.count)
        }
        try output.sync()
        return names
    }

    /// Writes what a storage of bytes has into a file, over what is there, and flushes it.
    /// - Returns: the hashes of its content; nil without such bytes.
    package func copy(
        _ stored: (any StoredBytes)?, as place: String, took: Took = { _ in }
    ) async throws(Failure) -> BlobNames? {
        guard let stored else { return nil }
        let output = try openToWrite(place)
        do {
            try await stored.read(0..<stored.size()) { piece in
                try output.write(piece)
                took(piece.count)
            }
        } catch {
            throw error as? Failure ?? Failure(.unavailable, cause: "\(place) cannot be read")
        }
        try output.sync()
        return try names(place)
    }

    /// Writes a file over what is there, and flushes it.
    package func write(_ bytes: [UInt8], at place: String) throws(Failure) {
        let output = try openToWrite(place)
        try output.write(bytes)
        try output.sync()
    }

    /// Flushes a file that another library has written.
    package func sync(_ place: String) throws(Failure) { try Self.flush(file(place), O_RDONLY) }

    /// Flushes the folder and all folders in it: afterwards the names in them survive a power cut.
    package func syncFolders() throws(Failure) {
        try Self.flush(path, O_RDONLY | O_DIRECTORY)
        guard let found = FileManager.default.enumerator(atPath: path) else { return }
        while let place = found.nextObject() as? String {
            var status = stat()
            guard lstat(file(place), &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
            try Self.flush(file(place), O_RDONLY | O_DIRECTORY)
        }
    }

    /// Removes a file, if there is one.
    package func remove(_ place: String) throws(Failure) {
        guard unlink(file(place)) == 0 || errno == ENOENT else { throw failure("cannot be removed", file(place)) }
    }

    /// Flushes a file or folder.
    package static func flush(_ path: String, _ flags: Int32) throws(Failure) {
        let descriptor = open(path, flags | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("cannot be opened", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.failure("cannot be written", path) }
    }

    private func openToRead(_ place: String) throws(Failure) -> OpenFile? {
        let descriptor = open(file(place), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("cannot be opened", file(place))
        }
        return OpenFile(descriptor: descriptor, path: file(place))
    }

    private func openToWrite(_ place: String) throws(Failure) -> OpenFile {
        var folder = path
        for part in place.split(separator: "/").dropLast() {
            folder += "/" + part
            let isMade = isOwners ? OwnedFile.makeFolder(folder) : mkdir(folder, 0o700) == 0
            guard isMade || errno == EEXIST else { throw failure("cannot be made", folder) }
        }
        let flags = O_WRONLY | O_TRUNC
        let descriptor =
            isOwners
            ? OwnedFile.open(file(place), flags)
            : open(file(place), flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("cannot be made", file(place)) }
        return OpenFile(descriptor: descriptor, path: file(place))
    }

    private func failure(_ trouble: String, _ path: String) -> Failure { Self.failure(trouble, path) }

    fileprivate static func failure(_ trouble: String, _ path: String) -> Failure {
        Failure(.unavailable, cause: "\(path) \(trouble): \(String(cString: strerror(errno)))")
    }
}

/// A file that is read or written from its beginning to its end.
private final class OpenFile {
    private let descriptor: Int32
    private let path: String

    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// The next piece; empty at the end of the file.
    func read() throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BlobNames.Reader.pieceBytes)
        var filled = 0
        while filled < bytes.count {
            let (start, left) = (filled, bytes.count - filled)
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: start), left)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileTree.failure("cannot be read", path) }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    /// The hashes of what is left to read; each piece passes through `take`.
    func names(_ take: ([UInt8]) throws(Failure) -> Void) throws(Failure) -> BlobNames {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileTree.failure("cannot be looked at", path) }
        var reader = BlobNames.Reader(sealedSize: Int64(status.st_size))
        let content = try ContentHash.of { () throws(Failure) -> [UInt8]? in
            let piece = try read()
            guard !piece.isEmpty else { return nil }
            reader.update(piece)
            try take(piece)
            return piece
        }
        return reader.names(content: content)
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileTree.failure("cannot be written", path) }
            done += count
        }
    }

    func sync() throws(Failure) {
        guard fsync(descriptor) == 0 else { throw FileTree.failure("cannot be written", path) }
    }
}
