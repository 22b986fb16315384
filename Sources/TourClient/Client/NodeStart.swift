import Glibc
import TourDesktop
import TourWords

/// A node that is started for a command and goes on when the command has ended.
package enum NodeStart {
    /// An older database is brought up to date first.
    private static let patience: Duration = .seconds(20)
    private static let pause: Duration = .milliseconds(100)
    private static let packaged = "/usr/bin/tour-chat"

    /// Starts a node on the data directory unless one answers there: the user's service where the package has brought
    /// it, else this program.
    /// - Throws: `no-node` where none answers in time.
    package static func ensure(_ options: GlobalOptions) async throws {
        let directory = try options.access().dataDirectory
        guard try !NodeSocket.isAnswering(dataDirectory: directory) else { return }
        let program = try program
        // The service knows the standard directory alone.
        let isStandard = options.dataDirectory == nil && (environmentValue("TOUR_CHAT_DATA_DIR") ?? "").isEmpty
        var isStarted = false
        if isStandard, program == packaged {
            isStarted = try await Desktop.run(["systemctl", "--user", "start", "tour-chat.service"])
        }
        if !isStarted {
            let file = options.passphraseFile.map { ["--passphrase-file", $0] } ?? []
            guard Desktop.leave([program, "run", "--data-dir", directory] + file) else { throw CommandFailure.noNode }
        }
        let end = ContinuousClock.now + patience
        while try !NodeSocket.isAnswering(dataDirectory: directory) {
            guard ContinuousClock.now < end else { throw CommandFailure.noNode }
            try await Task.sleep(for: pause)
        }
    }

    /// The absolute path of this program.
    static var program: String {
        get throws {
            var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let length = readlink("/proc/self/exe", &path, path.count - 1)
            guard length > 0 else { throw DesktopError.badPath }
            return String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
