import CProcess
import Glibc

/// The desktop's programs that show files and pages, and that register other programs.
package enum Desktop {
    private static let opener = "xdg-open"
    /// POSIX_SPAWN_SETSID of Linux, which the system module does not import.
    private static let newSession: Int16 = 0x80
    /// A program that has not failed by then is showing its target.
    private static let patience: Duration = .seconds(1)
    /// How long a program that ends by itself may take.
    private static let toolPatience: Duration = .seconds(10)
    private static let pause: Duration = .milliseconds(50)

    /// Whether windows can be shown.
    package static var isThere: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { (name: String) in getenv(name).map { $0.pointee != 0 } ?? false }
    }

    /// Shows a file, or an address, with the program that the user has chosen for it. No shell reads it.
    /// - Returns: false where there is no such program, and where it refused.
    package static func show(_ target: String) async throws -> Bool {
        guard let child = start([opener, target]) else { return false }
        return try await result(of: child, within: patience) ?? true
    }

    /// The same without waiting for it.
    /// - Returns: the process, to be passed to `reap`; nil: there is no such program.
    static func begin(toShow target: String) -> pid_t? { start([opener, target]) }

    /// - Returns: whether it has ended.
    static func reap(_ child: pid_t) -> Bool { waitpid(child, nil, WNOHANG) != 0 }

    /// Starts a program that goes on when this one has ended.
    /// - Returns: false where there is none.
    package static func leave(_ words: [String]) -> Bool { start(words) != nil }

    /// Runs a program to its end.
    /// - Returns: false where there is none, and where it failed or did not end in time.
    package static func run(_ words: [String]) async throws -> Bool {
        guard let child = start(words) else { return false }
        if let result = try await result(of: child, within: toolPatience) { return result }
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
        return false
    }

    /// - Returns: nil while it is still running.
    private static func result(of child: pid_t, within patience: Duration) async throws -> Bool? {
        let end = ContinuousClock.now + patience
        while true {
            var status: Int32 = 0
            if waitpid(child, &status, WNOHANG) == child { return status == 0 }
            guard ContinuousClock.now < end else { return nil }
            try await Task.sleep(for: pause)
        }
    }

    /// - Returns: the process, in a session of its own, without our terminal and our files; nil: there is no such
    ///   program.
    private static func start(_ words: [String]) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // Another program must not inherit the signals that we ignore.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let result = posix_spawnp(&child, words[0], &actions, &attributes, &arguments, process_environment())
        return result == 0 ? child : nil
    }
}
