import Foundation

/// gammu-smsd with the dummy phone of libGammu, in folders of its own.
final class GammuDaemon: Sendable {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/gammu-smsd")

    var outbox: String { folder + "/outbox" }
    private let folder: String
    private let process: ChildProcess

    init() throws {
        folder = RunningServer.temporaryDirectory()
        for name in ["outbox", "inbox", "sent", "error", "phone"] {
            try FileManager.default.createDirectory(
                atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        let settings = """
            [gammu]
            model = dummy
            connection = none
            port = \(folder)/phone
            [smsd]
            service = files
            logfile = stdout
            debuglevel = 1
            loopsleep = 1
            checksecurity = 0
            transmitformat = auto
            inboxpath = \(folder)/inbox/
            outboxpath = \(folder)/outbox/
            sentsmspath = \(folder)/sent/
            errorsmspath = \(folder)/error/
            """
        try settings.write(toFile: folder + "/smsdrc", atomically: true, encoding: .utf8)
        process = try ChildProcess("/usr/bin/gammu-smsd", ["-c", folder + "/smsdrc"])
    }

    /// Its lines about the next message: whom it was found for, and that the phone took it.
    func nextSent() async throws -> (found: String, sent: String) {
        let found = try await process.line { $0.contains("Found 1 sms to") }
        return (found, try await process.line { $0.contains("Transmitted") })
    }

    func end() async throws {
        try await process.end(SIGTERM)
        try? FileManager.default.removeItem(atPath: folder)
    }
}
