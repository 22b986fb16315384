import Glibc

/// Whether the server can work: its database accepts a write, and its disk has room. Anybody may ask, so each check
/// answers all questions of a second.
actor Readiness {
    private let storage: any Storage
    private let directory: ServerDirectory
    private var asked: (at: ContinuousClock.Instant, task: Task<Failure?, Never>)?

    init(storage: any Storage, directory: ServerDirectory) {
        self.storage = storage
        self.directory = directory
    }

    /// - Throws: `unavailable`, with the cause for the log.
    func check() async throws(Failure) {
        if asked == nil || asked.map({ .now - $0.at > ServerLimits.readinessInterval }) == true {
            asked = (.now, Task { [storage, directory] in await Self.trouble(storage, directory) })
        }
        if let failure = await asked?.task.value { throw failure }
    }

    private static func trouble(_ storage: any Storage, _ directory: ServerDirectory) async -> Failure? {
        do throws(Failure) {
            let free = try directory.freeBytes()
            guard free >= ServerLimits.freeBytesMin else {
                throw Failure(.unavailable, cause: "the disk is full: \(free) bytes are left")
            }
            // A read would not show whether the database can be written.
            try await storage.write(.relaxed, .statements) { sql throws(Failure) in
                try sql.run(
                    """
                    INSERT INTO counters (name, value) VALUES ('readiness', 1)
                    ON CONFLICT (name) DO UPDATE SET value = counters.value + 1
                    """, [])
            }
            return nil
        } catch {
            return error
        }
    }
}
