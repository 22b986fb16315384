import Glibc
import ServerBase
import ServerRequests
import TourCrypto
import TourModel

/// Puts messages into the outbox folder of gammu-smsd, which sends them through a modem or phone. Success means only
/// that the file is there; gammu-smsd's log tells whether the message was sent.
/// Source: gammu-smsd-files(7).
package struct GammuSender: SMSSender {
    private let outbox: String

    /// - Parameter outbox: `outboxpath` of gammu-smsdrc; this process must be able to write there.
    package init(outbox: String) { self.outbox = outbox }

    /// Writes one message into the outbox.
    /// - Throws: `smsFailed` when the outbox cannot be written.
    package func send(_ text: String, to phone: PhoneNumber) async throws(Failure) {
        // `A` is the highest priority; the random part keeps apart two messages at once.
        let name = "OUTA_\(phone.text)_\(Hex.encode(Randomness.bytes(8))).txt"
        // gammu-smsd reads only files whose names begin with OUT, so it never sees half a message.
        let temporary = outbox + "/new-" + name
        // The file's group may read it and, in a folder of the group, delete it: gammu-smsd usually runs as a user of
        // its own.
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw Self.failure() }
        let bytes = Self.unicode(text)
        let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let isWritten = written == bytes.count && fchmod(descriptor, 0o640) == 0
        close(descriptor)
        guard isWritten, rename(temporary, outbox + "/" + name) == 0 else {
            let failure = Self.failure()
            unlink(temporary)
            throw failure
        }
    }

    /// UTF-16 with a byte order mark, which gammu-smsd reads in any locale.
    private static func unicode(_ text: String) -> [UInt8] {
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    private static func failure() -> Failure {
        Failure(.smsFailed, cause: "the outbox of gammu-smsd cannot be written: \(String(cString: strerror(errno)))")
    }
}
