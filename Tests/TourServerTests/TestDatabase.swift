import CPostgres
import Foundation
import ServerStorage
import Synchronization
import TourModel
import TourServer

/// The database of the servers under test: the SQLite file in each one's data directory, or a schema of its own in the
/// PostgreSQL that TOUR_TEST_POSTGRES names (see Scripts/support/postgres.py).
enum TestDatabase {
    static let address: String? = ProcessInfo.processInfo.environment["TOUR_TEST_POSTGRES"]
    static var isPostgres: Bool { address != nil }

    private static let made = Mutex<Set<String>>([])

    /// What names the database of a data directory to the server; nil for the file in it.
    static func name(of directory: String) -> String? {
        name(ofSchema: schema(of: directory))
    }

    /// As readable as names of PostgreSQL can be, and none is longer than 63 bytes.
    static func schema(of directory: String) -> String {
        "d" + directory.lowercased().filter { $0.isLetter || $0.isNumber }.suffix(50)
    }

    /// pg_dump did not finish, so that nothing is known of what it would have shown.
    struct NotDumped: Error {
        let status: Int32
    }

    /// What names this schema, which is made at the first call; nil without a PostgreSQL.
    static func name(ofSchema schema: String) -> String? {
        guard let address else { return nil }
        made.withLock { made in
            if made.insert(schema).inserted { execute("CREATE SCHEMA \(schema)", at: address) }
        }
        return "\(address) options='-c search_path=\(schema)'"
    }

    /// For programs: see `name`.
    static func environment(of directory: String) -> [String: String] {
        name(of: directory).map { ["TOUR_SERVER_DATABASE": $0] } ?? [:]
    }

    /// The database of a running server, beside it.
    static func storage(of directory: String) throws -> any Storage {
        try OpenedServer(settings: .data(in: directory)).storage
    }

    /// How many servers run at once: each has some connections, and a cluster has not many.
    static let turns = Places(isPostgres ? 30 : .max)

    private static func execute(_ statement: String, at address: String) {
        guard postgres_library_load("libpq.so.5") else { return }
        let words = [strdup("dbname"), strdup(address)]
        defer { for word in words { free(word) } }
        let keywords = [UnsafePointer<CChar>(words[0]), nil], values = [UnsafePointer<CChar>(words[1]), nil]
        let connection = PQconnectdbParams(keywords, values, 1)
        defer { PQfinish(connection) }
        PQsendQueryParams(connection, statement, 0, nil, nil, nil, nil, 0)
        while let result = PQgetResult(connection) { PQclear(result) }
    }
}

extension ServerSettings {
    /// Settings that name the data of a server and nothing else.
    static func data(in directory: String) -> ServerSettings {
        ServerSettings(
            host: "127.0.0.1", port: 0, dataDirectory: directory, database: TestDatabase.name(of: directory))
    }
}

extension RunningServer {
    /// Whether somebody who steals the database finds this text or these bytes in it.
    func databaseHolds(_ bytes: some Sequence<UInt8>) throws -> Bool {
        let (stored, sought) = (try databaseBytes(), Array(bytes))
        // A dump has bytes in digits.
        return [Data(sought), Data(Hex.encode(sought).utf8)].contains { stored.range(of: $0) != nil }
    }

    private func databaseBytes() throws -> Data {
        guard let address = TestDatabase.name(of: directory) else {
            return try ["/server.sqlite", "/server.sqlite-wal"].reduce(into: Data()) {
                $0 += try Data(contentsOf: URL(fileURLWithPath: directory + $1))
            }
        }
        let dump = Process()
        dump.executableURL = URL(fileURLWithPath: "/usr/bin/pg_dump")
        // Its own schema alone: the locks of all of them meet those of servers that make their tables meanwhile.
        dump.arguments = ["--dbname", address, "--schema", TestDatabase.schema(of: directory)]
        let output = Pipe()
        dump.standardOutput = output
        try dump.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        dump.waitUntilExit()
        guard dump.terminationStatus == 0 else { throw TestDatabase.NotDumped(status: dump.terminationStatus) }
        return bytes
    }
}

/// Lets so many through at once, in the order in which they come.
final class Places: Sendable {
    private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

    init(_ count: Int) { state = Mutex((count, [])) }

    func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
