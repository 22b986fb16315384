import Foundation
import Glibc
import NIOPosix
import ServerBase
import TourCrypto
import TourModel

/// An open file of a blob. Every call blocks on the disk, so callers run it off the event loops: see `onDisk`.
package final class BlobFile: StoredBytes {
    private let descriptor: Int32
    private let path: String

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    // Unlocks before closing: a child process that has forked and not yet called exec holds the lock too.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// - Returns: nil when the file does not exist.
    /// - Throws: `unavailable`.
    package init?(reading path: String) throws(Failure) {
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.failure("opened")
        }
    }

    /// Opens a file for this caller alone to write, until the object is released; the system releases the lock when the
    /// process ends.
    /// - Parameter isNew: whether a missing file is created, with mode 0600.
    /// - Returns: nil when the file does not exist.
    /// - Throws: `inProgress` while another request writes the file, in this process or another; `unavailable`.
    package static func growing(_ path: String, isNew: Bool) throws(Failure) -> BlobFile? {
        let descriptor = isNew ? OwnedFile.open(path, O_RDWR) : open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("opened")
        }
        let file = BlobFile(descriptor: descriptor, path: path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, file.isAtItsPath else {
            throw Failure(.inProgress, retryAfter: 1)
        }
        return file
    }

    /// Whether the file still has this name: the previous holder of the lock may have moved or removed it. The system
    /// reports the name that the descriptor has now.
    private var isAtItsPath: Bool {
        let link = "/proc/self/fd/\(descriptor)"
        guard let name = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else { return false }
        return name.split(separator: "/").last == path.split(separator: "/").last
    }

    /// The file's length.
    package func size() throws(Failure) -> Int64 {
        // No call depends on the descriptor's position: reads and writes pass offsets of their own.
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0 else { throw Self.failure("looked at") }
        return Int64(end)
    }

    /// Writes all of the bytes from an offset on, without flushing.
    package func write(_ bytes: [UInt8], at offset: Int64) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset) + done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("written") }
            done += count
        }
    }

    /// Flushes the file: afterwards its content survives a power cut.
    package func sync() throws(Failure) { guard fsync(descriptor) == 0 else { throw Self.failure("written") } }

    /// Drops the whole content.
    package func empty() throws(Failure) { guard ftruncate(descriptor, 0) == 0 else { throw Self.failure("written") } }

    /// Removes the file's name, if it is still there.
    package func remove() throws(Failure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure("removed") }
    }

    /// Renames the file to its final name; the caller then releases it.
    func move(to target: String) throws(Failure) {
        guard path == target || rename(path, target) == 0 else { throw Self.failure("named") }
    }

    /// Reads `count` bytes from `offset`; fewer at the end of the file.
    func read(at offset: Int64, count: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + filled)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw Self.failure("read") }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes[..<filled])
    }

    /// The names of the file's whole content, computed piece by piece.
    package func names() throws(Failure) -> BlobNames {
        var reader = BlobNames.Reader(sealedSize: try size())
        let content = try ContentHash.of { () throws(Failure) -> [UInt8]? in
            let piece = try read(at: reader.offset, count: BlobNames.Reader.pieceBytes)
            reader.update(piece)
            return piece.isEmpty ? nil : piece
        }
        return reader.names(content: content)
    }

    /// See `StoredBytes.read`.
    package func read(_ range: Range<Int64>, _ take: ([UInt8]) async throws -> Void) async throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = Int(min(Int64(ServerLimits.blobPieceBytes), range.upperBound - offset))
            let start = offset
            let piece = try await Self.onDisk { () throws(Failure) in try self.read(at: start, count: count) }
            guard !piece.isEmpty else { throw Failure(.unavailable, cause: "the file of a blob is cut off") }
            try await take(piece)
            offset += Int64(piece.count)
        }
    }

    /// Runs blocking disk work on threads of its own, off the event loops.
    package static func onDisk<Value: Sendable>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        do {
            return try await NIOThreadPool.singleton.runIfActive { try work() }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.unavailable, cause: "the request was given up")
        }
    }

    private static func failure(_ trouble: String) -> Failure {
        // Only the operator can mend a full disk, so the cause goes to the log.
        Failure(.unavailable, cause: "the file of a blob cannot be \(trouble): \(String(cString: strerror(errno)))")
    }
}
