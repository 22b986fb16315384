import Glibc
import NIOPosix

/// Reads a descriptor of any kind (file, pipe, terminal) away from the tasks' threads.
final class InputReader: Sendable {
    private static let chunkBytes = 64 * 1024

    private let descriptor: Int32
    /// Read end and write end: a byte in it ends a wait.
    private let stop: (read: Int32, write: Int32)

    init(descriptor: Int32 = 0) throws(CommandFailure) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .system("cannot make a pipe", errno: errno) }
        self.descriptor = descriptor
        stop = (ends[0], ends[1])
    }

    deinit {
        close(stop.read)
        close(stop.write)
    }

    /// What there is to read, waiting for the first byte; empty at the end of the input.
    /// - Throws: `CancellationError` at once when the task is cancelled, also while it waits.
    func read() async throws -> [UInt8] {
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await NIOThreadPool.singleton.runIfActive { try self.waitAndRead() }
        } onCancel: {
            var byte: UInt8 = 0
            Glibc.write(stop.write, &byte, 1)
        }
    }

    private func waitAndRead() throws -> [UInt8] {
        while true {
            var watched = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop.read, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&watched, 2, -1) < 0 {
                guard errno == EINTR else { throw CommandFailure.system("cannot read the input", errno: errno) }
                continue
            }
            if watched[1].revents != 0 { throw CancellationError() }
            let (bytes, code) = readOnce()
            if let bytes { return bytes }
            guard code == EINTR || code == EAGAIN else {
                throw CommandFailure.system("cannot read the input", errno: code)
            }
        }
    }

    private func readOnce() -> ([UInt8]?, Int32) {
        var code: Int32 = 0
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunkBytes) { buffer, count in
            let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            code = errno
            failed = result < 0
            count = max(result, 0)
        }
        return (failed ? nil : bytes, code)
    }
}
