import Glibc
import TourCrypto
import TourModel

/// Puts messages into the outbox folder of gammu-smsd, which sends them with the stick or phone that it runs. Taken
/// means: the file is there; whether it went out stands in gammu-smsd's log. Source: gammu-smsd-files(7).
package struct GammuSender: SMSSender {
    private let outbox: String

    /// - Parameter outbox: `outboxpath` of gammu-smsdrc; this process must be able to write there.
    package init(outbox: String) { self.outbox = outbox }

    package func send(_ text: String, to phone: PhoneNumber) async throws(Failure) {
        // The highest priority; our own part of the name keeps two at once apart.
        let name = "OUTA_\(phone.text)_\(Hex.encode(Randomness.bytes(8))).txt"
        // gammu-smsd takes only names that begin with OUT: it never sees half a message.
        let temporary = outbox + "/new-" + name
        // Its group may read and, in a folder of the group, delete it: gammu-smsd mostly has a user of its own.
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

    /// UTF-16 with a mark in front: what gammu-smsd takes without knowing a locale.
    private static func unicode(_ text: String) -> [UInt8] {
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    private static func failure() -> Failure {
        Failure(.smsFailed, cause: "the outbox of gammu-smsd cannot be written: \(String(cString: strerror(errno)))")
    }
}
