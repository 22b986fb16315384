import Foundation
import Glibc
import ServerBase
import ServerNotebook
import ServerRequests
import ServerStorage
import TourTLS

/// Whether the server can work, by checks that each have a name. Anybody may ask.
actor Readiness {
    /// What a ready server has.
    enum Check: String, CaseIterable, Sendable {
        /// It is not ending.
        case serving
        /// The database takes a write, and has room.
        case database
        /// The database has this version's tables.
        case schema
        /// The disk has room.
        case disk
        /// The folders of sealed blobs and of notebooks' files are those of the start, and take files; the bucket,
        /// where whole ones are in one, answers.
        case blobs, files
        /// A token for a caller can be signed, and is then taken.
        case tokens
        /// Where the server speaks TLS: stunnel runs.
        case tls
    }

    /// What came of each check.
    struct Report: Sendable {
        /// Why a check does not pass; nil: it does.
        let causes: [(check: Check, cause: String?)]

        var isReady: Bool { causes.allSatisfy { $0.cause == nil } }

        /// `unavailable` with the first check that does not pass; nil for a ready server.
        var failure: Failure? {
            causes.first { $0.cause != nil }.map { check, cause in
                Failure(.unavailable, field: check.rawValue, cause: "not ready: \(check.rawValue): \(cause ?? "")")
            }
        }
    }

    /// The data directory.
    nonisolated let directory: ServerDirectory
    private let storage: any Storage
    private let blobs: any BlobStorage
    private let keys: TokenKeys
    private let folders: [(check: Check, folder: WatchedFolder)]
    /// Why a check did not pass when it was last made.
    private var causes: [Check: String] = [:]
    /// The check that is being made.
    private var underWay: Check?
    private var lookedAt: ContinuousClock.Instant?
    /// Who waits for the look to end.
    private var waiting: [Int: CheckedContinuation<Check?, Never>] = [:]
    private var waiters = 0
    private var isEnding = false
    private var stunnel: Stunnel?

    /// Makes the folders that are missing.
    /// - Throws: `unavailable` when one cannot be made.
    init(
        storage: any Storage, directory: ServerDirectory, blobs: any BlobStorage, keys: TokenKeys
    ) throws(Failure) {
        self.storage = storage
        self.blobs = blobs
        self.keys = keys
        self.directory = directory
        folders = [
            (.blobs, try WatchedFolder(try directory.directory(BlobStore.folderName).path)),
            (.files, try WatchedFolder(try directory.directory(NotebookFiles.folderName).path)),
        ]
    }

    /// From now on the server is ready only while TLS is.
    func watch(_ stunnel: Stunnel) { self.stunnel = stunnel }

    /// From now on the server is not ready.
    func end() { isEnding = true }

    /// Looks at everything, once for all who ask within a second. A disk that is gone may let a call wait for ever:
    /// that check then does not pass, and no other look begins before it has ended.
    func report() async -> Report {
        let isOld = lookedAt.map { .now - $0 > ServerLimits.readinessInterval } ?? true
        let hanging = isOld ? await look() : nil
        return Report(
            causes: checks.map { check in
                (check, check == hanging ? "it does not answer" : check == .serving ? ending : causes[check])
            })
    }

    /// The last one only where it can fail.
    private var checks: [Check] { stunnel == nil ? Check.allCases.dropLast() : Check.allCases }

    private var ending: String? { isEnding ? "the server is ending" : nil }

    /// Waits for the look that is under way, or begins one.
    /// - Returns: the check that does not answer; nil where the look has ended.
    private func look() async -> Check? {
        if underWay == nil {
            underWay = .database
            Task { await makeAll() }
        }
        waiters += 1
        let waiter = waiters
        let alarm = Task {
            try await Task.sleep(for: ServerLimits.readinessPatience)
            waiting.removeValue(forKey: waiter)?.resume(returning: underWay)
        }
        defer { alarm.cancel() }
        return await withCheckedContinuation { waiting[waiter] = $0 }
    }

    private func makeAll() async {
        for check in checks where check != .serving {
            underWay = check
            do throws(Failure) {
                try await make(check)
                causes[check] = nil
            } catch {
                causes[check] = error.description
            }
        }
        (underWay, lookedAt) = (nil, .now)
        for waiter in waiting.values { waiter.resume(returning: nil) }
        waiting = [:]
    }

    private func make(_ check: Check) async throws(Failure) {
        let (directory, keys) = (directory, keys)
        switch check {
        case .serving: break
        case .database:
            try await Self.write(storage)
            try await storage.checkRoom()
        case .schema:
            let missing = try await storage.missingSteps(of: Migration.all)
            guard missing.isEmpty else {
                throw Failure(.unavailable, cause: "steps are missing: \(missing.joined(separator: ", "))")
            }
        case .disk:
            let free = try await BlobFile.onDisk { () throws(Failure) in try directory.freeBytes() }
            guard free >= ServerLimits.freeBytesMin else {
                throw Failure(.unavailable, cause: "the disk is full: \(free) bytes are left")
            }
        case .tokens: try await BlobFile.onDisk { () throws(Failure) in try keys.check() }
        case .tls:
            if let cause = stunnel?.trouble {
                throw Failure(.unavailable, cause: "stunnel does not run: \(cause)")
            }
        case .blobs, .files:
            for (_, folder) in folders.filter({ $0.check == check }) {
                try await BlobFile.onDisk { () throws(Failure) in try folder.check() }
            }
            // One bucket has both.
            if check == .blobs { _ = try await blobs.roomLeft() }
        }
    }

    /// A read would not show whether the database can be written.
    private static func write(_ storage: any Storage) async throws(Failure) {
        try await storage.write(.relaxed, .statements) { sql throws(Failure) in
            try sql.run(
                """
                INSERT INTO counters (name, value) VALUES ('readiness', 1)
                ON CONFLICT (name) DO UPDATE SET value = counters.value + 1
                """, [])
        }
    }
}

/// A folder that is to stay the one that it was: where a disk is gone, the folder that it was mounted on is left, and
/// takes files that nobody finds again.
private struct WatchedFolder: Sendable {
    private let path: String
    private let device: Int
    private let number: Int

    init(_ path: String) throws(Failure) {
        self.path = path
        (device, number) = try Self.identity(path)
    }

    /// - Throws: `unavailable`.
    func check() throws(Failure) {
        guard try Self.identity(path) == (device, number) else {
            throw Failure(.unavailable, cause: "\(path) is another folder than at the start")
        }
        try Self.write(path)
    }

    private static func identity(_ path: String) throws(Failure) -> (device: Int, number: Int) {
        // Follows no symbolic link.
        guard let found = try? FileManager.default.attributesOfItem(atPath: path),
            let device = found[.systemNumber] as? Int, let number = found[.systemFileNumber] as? Int
        else { throw Failure(.unavailable, cause: "\(path) is gone") }
        return (device, number)
    }

    private static func write(_ path: String) throws(Failure) {
        // __O_TMPFILE with O_DIRECTORY, which Swift does not import: a file without a name, which leaves nothing.
        var descriptor = open(path, O_WRONLY | O_DIRECTORY | 0o20000000 | O_CLOEXEC, 0o600)
        if descriptor < 0, [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) {
            // NFS knows no such files.
            let name = "\(path)/.ready-\(getpid())"
            descriptor = open(name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            if descriptor >= 0 { unlink(name) }
        }
        guard descriptor >= 0 else { throw failure(path) }
        close(descriptor)
    }

    private static func failure(_ path: String) -> Failure {
        Failure(.unavailable, cause: "\(path): \(String(cString: strerror(errno)))")
    }
}
