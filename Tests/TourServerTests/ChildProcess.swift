import Foundation
import Glibc

/// Another program whose lines a test reads as they come.
///
/// Straight on the system's calls: the waiting of Foundation's class needs a run loop, which the threads of tests have
/// none of, and now and then it waits for ever.
final class ChildProcess {
    struct Ended: Error {}
    struct NotStarted: Error { var code: Int32 }

    private let identifier: pid_t
    private let output: Int32
    private var unread = Data()
    private var hasEnded = false

    /// - Parameter environment: added to our own.
    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw NotStarted(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { Glibc.close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // Ignored and blocked signals of the test process are not handed on.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let settings = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = settings.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var started: pid_t = 0
        let code = posix_spawn(&started, path, &actions, &attributes, &words, &variables)
        guard code == 0 else {
            Glibc.close(ends[0])
            throw NotStarted(code: code)
        }
        identifier = started
        output = ends[0]
    }

    deinit { Glibc.close(output) }

    /// The first line that fits; those before it are dropped.
    /// - Throws: `Ended` when the program closes its output first.
    func line(where fits: (String) -> Bool) throws -> String {
        while true {
            while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
                unread = unread[unread.index(after: end)...]
                if fits(line) { return line }
            }
            var piece = [UInt8](repeating: 0, count: 4_096)
            let count = read(output, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Ended() }
            unread += piece.prefix(count)
        }
    }

    /// Sends the signal and waits for the end.
    /// - Returns: the exit status, or the signal that ended it.
    @discardableResult
    func end(_ signal: Int32) -> Int32 {
        if !hasEnded { kill(identifier, signal) }
        return wait()
    }

    /// Waits for the end.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        hasEnded = true
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : signal
    }
}
