import CProcess
import Foundation
import Glibc
import Logging
import Synchronization

/// Keeps one stunnel running: on a thread of its own, since the kernel ends such a child together with the thread that
/// started it.
final class StunnelChild: Sendable {
    enum Event: Sendable {
        /// It takes connections.
        case up
        /// It has ended, for this reason, and is started again.
        case down(String)
    }

    /// The descriptors that it gets, beside those for its log.
    struct Descriptors: Sendable {
        /// Where it takes connections.
        let listener: Int32
        /// The certificate and its key.
        let pair: Int32
    }

    private struct State {
        var processID: pid_t?
        var isUp = false
        var isEnding = false
    }

    /// Where the child finds them. Source: sd_listen_fds(3), for the first.
    private static let listenerNumber: Int32 = 3
    private static let pairNumber: Int32 = 4
    /// The path of the certificate, for its settings.
    static let pairPath = "/proc/self/fd/\(pairNumber)"

    private static let shell = "/bin/sh"
    /// Part of util-linux, which Debian is never without.
    private static let bound = "/usr/bin/setpriv"
    static let programs = ["/usr/bin/stunnel4", "/usr/bin/stunnel", "/usr/local/bin/stunnel"]

    /// Nil where it is not installed.
    static var program: String? { programs.first { access($0, X_OK) == 0 } }

    private let program: String
    private let settings: String
    private let descriptors: Descriptors
    private let logger: Logger
    private let report: @Sendable (Event) -> Void
    private let state = Mutex(State())
    /// Rings when it is to end.
    private let bell = DispatchSemaphore(value: 0)
    private let ended: AsyncStream<Void>
    private let endedSource: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - settings: the path of its settings.
    ///   - report: is called on the child's thread.
    init(
        _ program: String, settings: String, descriptors: Descriptors, logger: Logger,
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.program = program
        self.settings = settings
        self.descriptors = descriptors
        self.logger = logger
        self.report = report
        (ended, endedSource) = AsyncStream.makeStream()
    }

    func start() {
        let thread = Thread { [self] in
            work()
            endedSource.finish()
        }
        thread.stackSize = 256 * 1_024
        thread.start()
    }

    /// Lets it read its settings and the certificate again.
    func reload() { state.withLock { if $0.isUp, let child = $0.processID { kill(child, SIGHUP) } } }

    /// Ends it, and returns once it has ended.
    func stop() async {
        state.withLock { state in
            state.isEnding = true
            if let child = state.processID { kill(child, SIGKILL) }
        }
        bell.signal()
        for await _ in ended {}
    }

    /// The process that runs now.
    var processID: pid_t? { state.withLock { $0.processID } }

    private func work() {
        var pause = TLSLimits.restartPauseMin
        while true {
            let began = ContinuousClock.now
            let cause = runOnce()
            guard !state.withLock({ $0.isEnding }) else { return }
            report(.down(cause))
            if ContinuousClock.now - began > TLSLimits.steadyTime { pause = TLSLimits.restartPauseMin }
            _ = bell.wait(timeout: .now() + .milliseconds(Int(pause / .milliseconds(1))))
            guard !state.withLock({ $0.isEnding }) else { return }
            pause = min(pause * 2, TLSLimits.restartPauseMax)
        }
    }

    /// - Returns: why it has ended.
    private func runOnce() -> String {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return Self.error() }
        let child: pid_t
        do throws(StunnelFault) {
            child = try spawn(log: ends[1])
        } catch {
            for end in ends { close(end) }
            return error.description
        }
        close(ends[1])
        let isEnding = state.withLock { state in
            state.processID = child
            return state.isEnding
        }
        if isEnding { kill(child, SIGKILL) }
        let complaint = readLog(ends[0])
        close(ends[0])
        return waited(for: child, complaint)
    }

    private func waited(for child: pid_t, _ complaint: String?) -> String {
        var found = siginfo_t()
        // It is not gone before nobody can send it a signal any more.
        while waitid(P_PID, id_t(child), &found, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        var status: Int32 = 0
        state.withLock { state in
            (state.processID, state.isUp) = (nil, false)
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
        }
        let signal = status & 0x7F
        return complaint ?? (signal == 0 ? "it ended with \(status >> 8 & 0xFF)" : "signal \(signal) ended it")
    }

    /// Reads what it writes until it has ended.
    /// - Returns: its last complaint that is not about a connection.
    private func readLog(_ descriptor: Int32) -> String? {
        var complaint: String?
        var pending = [UInt8]()
        var bytes = [UInt8](repeating: 0, count: TLSLimits.lineBytesMax)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            pending += bytes[..<count]
            while let end = pending.firstIndex(of: 10) {
                take(StunnelLine(String(decoding: pending[..<end], as: UTF8.self)), &complaint)
                pending.removeSubrange(...end)
            }
            if pending.count > TLSLimits.lineBytesMax { pending = [] }
        }
        if !pending.isEmpty { take(StunnelLine(String(decoding: pending, as: UTF8.self)), &complaint) }
        return complaint
    }

    private func take(_ line: StunnelLine, _ complaint: inout String?) {
        logger.debug("stunnel: \(line.words)")
        if line.isComplaint, !line.isOfConnection { complaint = line.words }
        if line.isFailedReload {
            logger.error("stunnel did not take the certificate, the one before is shown", metadata: cause(complaint))
        }
        guard line.isSuccess else { return }
        complaint = nil
        let isFirst = state.withLock { state in
            defer { state.isUp = true }
            return !state.isUp
        }
        if isFirst { report(.up) }
    }

    private func cause(_ words: String?) -> Logger.Metadata { ["cause": "\(words ?? "")"] }

    private static func error() -> String { String(cString: strerror(errno)) }

    /// Starts it with nothing of ours but these descriptors: no environment, no terminal, and signals as they are by
    /// default. The shell tells it its own number, without which it takes no descriptor.
    private func spawn(log: Int32) throws(StunnelFault) -> pid_t {
        // None may be in the way of another's number.
        let moved = [descriptors.listener, descriptors.pair, log].map { fcntl($0, F_DUPFD_CLOEXEC, 16) }
        defer { for descriptor in moved where descriptor >= 0 { close(descriptor) } }
        guard moved.allSatisfy({ $0 >= 0 }) else { throw .notStarted(Self.error()) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, moved[2], 2)
        posix_spawn_file_actions_adddup2(&actions, moved[0], Self.listenerNumber)
        posix_spawn_file_actions_adddup2(&actions, moved[1], Self.pairNumber)
        process_close_from(&actions, Self.pairNumber + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        process_begin_session(&attributes)
        let arguments = [
            Self.shell, "-c", "cd / && export LISTEN_PID=$$ && exec \"$@\"", "stunnel", Self.bound, "--pdeathsig",
            "KILL", "--",
            program, settings,
        ]
        return try Self.spawn(arguments, ["LISTEN_FDS=1", "PATH=/usr/bin:/bin", "LC_ALL=C"], &actions, &attributes)
    }

    private static func spawn(
        _ arguments: [String], _ environment: [String], _ actions: inout posix_spawn_file_actions_t,
        _ attributes: inout posix_spawnattr_t
    ) throws(StunnelFault) -> pid_t {
        let lists = [arguments, environment].map { $0.map { strdup($0) } + [nil] }
        defer { for text in lists.joined() { free(text) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, shell, &actions, &attributes, lists[0], lists[1])
        guard result == 0 else { throw .notStarted(String(cString: strerror(result))) }
        return child
    }
}
