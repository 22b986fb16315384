import Glibc
import TourWords

/// Reads a descriptor of any kind (file, pipe, terminal).
struct InputReader: Sendable {
    private static let chunkBytes = 64 * 1024

    private let descriptor: Int32

    init(descriptor: Int32 = 0) { self.descriptor = descriptor }

    /// The available bytes, waiting for the first one; empty at the end of the input.
    /// - Throws: `CancellationError` at once when the task is cancelled, also while it waits.
    func read() async throws -> [UInt8] {
        while true {
            try await CommandLoop.main.wait(for: POLLIN, on: descriptor)
            let (bytes, code) = readOnce()
            if let bytes { return bytes }
            guard code == EINTR || code == EAGAIN else {
                throw CommandFailure.system(Phrase("cannot read the input"), errno: code)
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
