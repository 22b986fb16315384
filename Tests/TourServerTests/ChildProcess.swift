import Foundation
import Glibc

/// Another program whose lines a test reads as they come.
///
/// What waits for it waits on a thread of its own: the tests' few threads are for the tests.
// One test uses it, one call after the other; the threads are handed over by continuations.
final class ChildProcess: @unchecked Sendable {
    struct Ended: Error {}

    /// Between the making of a pipe and its mark no other child is started.
    private static let oneAtATime = NSLock()

    private let identifier: pid_t
    private let output: Pipe
    private var unread = Data()

    /// Foundation's `Process` lists the open descriptors into a buffer that others, opened meanwhile, can overflow:
    /// here many servers open theirs at once.
    /// - Parameter environment: added to our own.
    /// - Parameter readsErrors: whether what it writes to standard error is among its lines.
    init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], readsErrors: Bool = false
    ) throws {
        Self.oneAtATime.lock()
        defer { Self.oneAtATime.unlock() }
        output = Pipe()
        let place = arguments.firstIndex(of: "--data-dir").map { arguments[$0 + 1] }
        let all = ProcessInfo.processInfo.environment
            .merging(place.map(TestDatabase.environment) ?? [:]) { $1 }.merging(environment) { $1 }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var settings: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, 1)
        if readsErrors {
            posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, 2)
        } else {
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        // A child inherits the mask of the thread that starts it, and threads that run tests block most signals.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var identifier: pid_t = 0
        // The other end of one child's pipe is nothing for another child: it would not see the end of its output.
        for end in [output.fileHandleForReading, output.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        let status = posix_spawn(&identifier, path, &actions, &attributes, &words, &settings)
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .EIO) }
        self.identifier = identifier
        // The end of its output is the end of the program.
        try output.fileHandleForWriting.close()
    }

    private static func waiting<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try body() }) }.start()
        }
    }

    /// The first line that fits; those before it are dropped.
    /// - Throws: `Ended` when the program closes its output first.
    func line(where fits: @escaping @Sendable (String) -> Bool) async throws -> String {
        try await Self.waiting { try self.nextLine(where: fits) }
    }

    private func nextLine(where fits: (String) -> Bool) throws -> String {
        while true {
            while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
                unread = unread[unread.index(after: end)...]
                if fits(line) { return line }
            }
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw Ended() }
            unread += piece
        }
    }

    /// Sends the signal alone.
    func signal(_ signal: Int32) { kill(identifier, signal) }

    /// Sends the signal and waits for the end.
    /// - Returns: the exit status, or the signal that ended it.
    @discardableResult
    func end(_ signal: Int32) async throws -> Int32 {
        kill(identifier, signal)
        return try await wait()
    }

    /// Waits for the end.
    func wait() async throws -> Int32 {
        try await Self.waiting {
            var status: Int32 = 0
            while waitpid(self.identifier, &status, 0) < 0 {
                guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            }
            let signal = status & 0x7F
            return signal == 0 ? status >> 8 & 0xFF : signal
        }
    }
}
