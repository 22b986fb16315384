import Glibc
import Synchronization
import TourCrypto
import TourModel
import TourStore

/// A file that somebody is sending to the node, in a scratch file until it is used: the file is deleted with this
/// value, and at the latest when a node next starts.
package final class IncomingFile: Sendable {
    /// Where the scratch file is.
    package let path: String
    private let bytesExpected: UInt64
    private let state: Mutex<State>

    private struct State {
        /// -1: closed.
        var descriptor: Int32
        var written: UInt64 = 0
    }

    private static let randomBytes = 16

    /// - Parameters:
    ///   - bytes: how many the sender announced.
    ///   - bytesMax: how many it may send.
    /// - Throws: `file-too-large`, `disk-full`.
    package init(in dataDirectory: String, bytes: UInt64, bytesMax: UInt64) throws {
        guard bytes <= bytesMax else {
            throw NodeError.file(.tooLarge(bytesMax: bytesMax))
        }
        let directory = try FileScratch.make(FileScratch.uploads, in: dataDirectory)
        try Self.checkRoom(in: directory, for: bytes)
        path = directory + "/" + Hex.encode(Randomness.bytes(Self.randomBytes))
        bytesExpected = bytes
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(errno) }
        state = Mutex(State(descriptor: descriptor))
    }

    deinit { discard() }

    /// Blocks: not for the event loop.
    /// - Throws: `disk-full`; `bad-request` for more bytes than were announced.
    package func write(_ bytes: some Sequence<UInt8>) throws {
        let bytes = Array(bytes)
        try state.withLock { state in
            guard state.descriptor >= 0, state.written + UInt64(bytes.count) <= bytesExpected else {
                throw Self.cutShort
            }
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeBytes { buffer in
                    Glibc.write(state.descriptor, buffer.baseAddress?.advanced(by: done), bytes.count - done)
                }
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { throw Self.failure(errno) }
                done += count
            }
            state.written += UInt64(done)
        }
    }

    /// Everything has been sent.
    /// - Throws: `bad-request` when bytes are missing.
    package func finish() throws {
        try state.withLock { state in
            guard state.descriptor >= 0, state.written == bytesExpected else { throw Self.cutShort }
            close(state.descriptor)
            state.descriptor = -1
        }
    }

    /// Deletes the file.
    package func discard() {
        state.withLock { state in
            if state.descriptor >= 0 { close(state.descriptor) }
            state.descriptor = -1
            unlink(path)
        }
    }

    /// The sealed copy needs as much space again beside this file, and a disk is never filled completely.
    private static func checkRoom(in directory: String, for bytes: UInt64) throws {
        guard let room = FreeSpace(at: directory) else { throw failure(errno) }
        guard room.freeBytes >= bytes * 2 + BlobQuota.diskFreeBytesMin else { throw failure(ENOSPC) }
    }

    private static func failure(_ code: Int32) -> NodeError {
        guard [ENOSPC, EDQUOT, EFBIG].contains(code) else {
            return NodeError.file(.unwritable(code: code))
        }
        return NodeError.file(.noRoom)
    }

    private static var cutShort: NodeError {
        NodeError.file(.cutShort)
    }
}
