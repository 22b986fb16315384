import Glibc

/// A socket that listens on this machine alone, for stunnel to accept from: it stays while stunnel is started again, so
/// nobody else can take its port, and who connects meanwhile waits.
final class LoopbackListener: Sendable {
    static let host = "127.0.0.1"

    let descriptor: Int32
    let port: UInt16

    /// - Throws: where the system gives none.
    init() throws(StunnelFault) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Accepted sockets have its buffers.
        for option in [SO_SNDBUF, SO_RCVBUF] {
            var bytes = Int32(TLSLimits.bufferBytes)
            setsockopt(descriptor, SOL_SOCKET, option, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        let hasBegun = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, TLSLimits.waitingMax) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
        guard hasBegun else { throw .notStarted(String(cString: strerror(errno))) }
    }

    deinit { close(descriptor) }
}
