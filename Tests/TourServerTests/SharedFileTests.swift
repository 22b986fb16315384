import Foundation
import Glibc
import Testing

/// Goal: processes that share one database file do so in order, and what cannot be shared is said in a sentence.
/// Method: the built `tour-server`, several times at once on data that nobody has used yet.
@Suite(.enabled(if: ServerProgram.isBuilt, "tour-server is not built"))
struct SharedFileTests {
    @Test func manyMigrateOneNewFileAtOnce() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let processes = try (0..<8).map { _ in
            try ChildProcess(ServerProgram.path, ["migrate", "--data-dir", directory])
        }
        var statuses = [Int32]()
        for process in processes { statuses.append(try await process.wait()) }
        #expect(statuses == Array(repeating: 0, count: 8))
    }

    /// Whoever listens at one would not hear what the other takes.
    @Test(.enabled(if: !TestDatabase.isPostgres)) func oneProcessServesFromOneFile() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (first, _) = try await ProcessTests.start(directory)
        let second = try ChildProcess(
            ServerProgram.path, ["serve", "--listen", "127.0.0.1:0", "--data-dir", directory], readsErrors: true)
        let line = try await second.line { $0.hasPrefix("tour-server: ") || $0.hasPrefix("{") }
        #expect(line.hasPrefix("tour-server: another tour-server serves from \(directory)/server.sqlite already"))
        let isEnded = line.hasPrefix("{") ? try await second.end(SIGKILL) : try await second.wait()
        #expect(isEnded == 1)
        // A killed one leaves nothing behind that keeps the next one out.
        #expect(try await first.end(SIGKILL) == SIGKILL)
        let (third, _) = try await ProcessTests.start(directory)
        #expect(try await third.end(SIGTERM) == 0)
    }
}
