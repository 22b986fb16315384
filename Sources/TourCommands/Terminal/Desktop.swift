import CProcess
import Glibc

/// The programs of a desktop that show files.
enum Desktop {
    private static let opener = "xdg-open"
    /// POSIX_SPAWN_SETSID of Linux, which the system module does not import.
    private static let newSession: Int16 = 0x80
    /// What it has not refused by then it is showing.
    private static let patience = 20
    private static let pause: Duration = .milliseconds(50)

    /// Where windows can be shown.
    static var isThere: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { environmentValue($0).map { !$0.isEmpty } ?? false }
    }

    /// Shows a file with the program that its user has chosen for such files. No shell reads the path.
    /// - Returns: false where there is no such program, and where it refused the file.
    static func show(_ path: String) async throws -> Bool {
        guard let child = start([opener, path]) else { return false }
        for _ in 0..<patience {
            var status: Int32 = 0
            if waitpid(child, &status, WNOHANG) == child { return status == 0 }
            try await Task.sleep(for: pause)
        }
        return true
    }

    /// - Returns: the process, with its own session, without our terminal and our files; nil: there is none.
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
        // What we ignore others need not.
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
