import CProcess
import Glibc

/// A file that is nowhere but in memory, which a child may read by its descriptor.
final class MemoryFile: Sendable {
    let descriptor: Int32

    /// - Throws: where the system makes none.
    init(named name: String) throws(StunnelFault) {
        descriptor = process_memory_file(name)
        // Without access for others stunnel warns of nothing.
        guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else {
            throw .notStarted(String(cString: strerror(errno)))
        }
    }

    deinit { close(descriptor) }

    /// Replaces what is in it.
    func replace(with bytes: [UInt8]) {
        ftruncate(descriptor, 0)
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(done)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            done += count
        }
    }
}
