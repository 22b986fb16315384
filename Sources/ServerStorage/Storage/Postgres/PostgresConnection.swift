import CPostgres
import Glibc
import ServerBase

/// One connection to PostgreSQL. Every call waits for the database, and no longer than a deadline: callers are threads
/// that may block.
// Only one thread at a time uses it: the pool gives it to one.
final class PostgresConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    /// The names of prepared statements.
    private var names: [String: String] = [:]
    private var lastName = 0
    /// Whether the connection ended: every further call fails.
    private(set) var isLost = false
    /// The schema that the connection works in.
    private(set) var schema = ""

    /// The statements that one connection keeps prepared, and some more: the server has fewer.
    private static let statementsMax = 512

    private init(_ handle: OpaquePointer) { self.handle = handle }

    /// Connects and logs in.
    /// - Throws: `unavailable`, with what the operator can do.
    static func open(_ address: PostgresAddress) throws(Failure) -> PostgresConnection {
        let settings = try address.settings()
        let words: [UnsafeMutablePointer<CChar>?] = settings.flatMap { [strdup($0.name), strdup($0.value)] }
        defer { for word in words { free(word) } }
        let keywords = stride(from: 0, to: words.count, by: 2).map { UnsafePointer<CChar>(words[$0]) } + [nil]
        let values = stride(from: 1, to: words.count, by: 2).map { UnsafePointer<CChar>(words[$0]) } + [nil]
        guard let handle = PQconnectdbParams(keywords, values, 1) else {
            throw Failure(.unavailable, cause: "there is no memory for a connection to PostgreSQL")
        }
        let connection = PostgresConnection(handle)
        guard PQstatus(handle) == postgres_connection_ok else {
            throw PostgresTrouble.connecting(PQerrorMessage(handle).map { String(cString: $0) } ?? "")
        }
        try connection.setUp(version: Int(PQserverVersion(handle)))
        return connection
    }

    private func setUp(version: Int) throws(Failure) {
        guard version >= PostgresTrouble.versionMin else { throw PostgresTrouble.version(version) }
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
            throw Failure(.unavailable, cause: "the connection to PostgreSQL cannot be set up")
        }
        let settings = Self.settings.map { "set_config('\($0)', '\($1)', false)" }.joined(separator: ", ")
        let facts = "current_schema(), current_setting('server_encoding')"
        let row: SQLRow?
        do throws(PostgresFault) {
            row = try run([PostgresCommand("SELECT \(facts), \(settings)")]).first?.rows.first
        } catch {
            throw error.failure
        }
        guard let row, try row.optionalText(1) == "UTF8" else { throw PostgresTrouble.encoding }
        guard let name = try row.optionalText(0) else { throw PostgresTrouble.schema }
        schema = name
    }

    /// What each connection sets for itself.
    private static let settings = [
        ("client_min_messages", "error"), ("jit", "off"),
        ("statement_timeout", "\(ServerLimits.databaseTimeout.components.seconds)s"),
        ("lock_timeout", "\(ServerLimits.databaseTimeout.components.seconds)s"),
        ("idle_in_transaction_session_timeout", "\(2 * ServerLimits.databaseTimeout.components.seconds)s"),
        // A transaction that reads a small table from its beginning to its end collides with each that writes there;
        // one that uses an index collides with those that write what it read. Every statement of the server has one.
        ("enable_seqscan", "off"),
    ]

    deinit { PQfinish(handle) }

    /// Whether what is said on the way can be read by others: nothing is encrypted, and the way leaves the machine.
    var isOpenToReaders: Bool {
        let host = PQhost(handle).map { String(cString: $0) } ?? ""
        let isHere = host.hasPrefix("/") || host.isEmpty || ["localhost", "127.0.0.1", "::1"].contains(host)
        return !isHere && PQsslInUse(handle) == 0
    }

    /// The descriptor of its socket, for `poll`.
    var descriptor: Int32 { PQsocket(handle) }

    /// Runs commands in one round trip: those behind one that fails are not run.
    /// - Returns: their results, in the same order.
    func run(
        _ commands: [PostgresCommand], within patience: Duration = ServerLimits.databasePatience
    ) throws(PostgresFault) -> [PostgresResult] {
        guard !isLost else { throw PostgresFault(.lost, cause: "the connection to PostgreSQL has ended") }
        do throws(PostgresFault) {
            return try exchange(commands, until: .now + patience)
        } catch {
            if error.kind == .lost || PQstatus(handle) != postgres_connection_ok { isLost = true }
            throw error
        }
    }

    /// The payloads of the notifications that have come, after the descriptor became readable.
    func notifications() throws(PostgresFault) -> [String] {
        guard !isLost, PQconsumeInput(handle) == 1 else {
            isLost = true
            throw lost()
        }
        var found = [String]()
        while let notification = PQnotifies(handle) {
            if let extra = notification.pointee.extra { found.append(String(cString: extra)) }
            PQfreemem(notification)
        }
        return found
    }
}

extension PostgresConnection {
    private enum Sent { case preparation(String, name: String), command }

    private func exchange(
        _ commands: [PostgresCommand], until deadline: ContinuousClock.Instant
    ) throws(PostgresFault) -> [PostgresResult] {
        var sent = [Sent]()
        var preparing: [String: String] = [:]
        var isTaken = true
        if names.count > Self.statementsMax {
            names = [:]
            isTaken = send(PostgresCommand("DEALLOCATE ALL"), as: nil)
            sent.append(.command)
        }
        for command in commands where isTaken {
            var name = names[command.statement] ?? preparing[command.statement]
            if name == nil, command.isKept {
                lastName += 1
                name = "s\(lastName)"
                preparing[command.statement] = name
                isTaken = PQsendPrepare(handle, name, command.statement, 0, nil) == 1
                sent.append(.preparation(command.statement, name: name ?? ""))
            }
            isTaken = isTaken && send(command, as: name)
            sent.append(.command)
        }
        guard isTaken, PQpipelineSync(handle) == 1 else { throw lost() }
        return Array(try receive(sent, until: deadline).suffix(commands.count))
    }

    private func send(_ command: PostgresCommand, as name: String?) -> Bool {
        command.withParameters { count, values, lengths, formats in
            if let name { return PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1) == 1 }
            return PQsendQueryParams(handle, command.statement, count, nil, values, lengths, formats, 1) == 1
        }
    }

    /// Reads the results up to the end of the round trip, also behind an error.
    private func receive(
        _ sent: [Sent], until deadline: ContinuousClock.Instant
    ) throws(PostgresFault) -> [PostgresResult] {
        var results = [PostgresResult]()
        var fault: PostgresFault?
        var index = 0
        while true {
            try waitForResult(until: deadline)
            guard let result = PQgetResult(handle) else {
                // The end of one command's results.
                guard PQstatus(handle) == postgres_connection_ok else { throw fault ?? lost() }
                continue
            }
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case postgres_pipeline_sync:
                if let fault { throw fault }
                return results
            case postgres_command_done, postgres_rows:
                guard index < sent.count else { break }
                if case .preparation(let statement, let name) = sent[index] {
                    names[statement] = name
                } else {
                    do throws(PostgresFault) {
                        results.append(try PostgresResult(result))
                    } catch {
                        fault = fault ?? error
                    }
                }
            case postgres_pipeline_aborted: break
            default:
                guard PQstatus(handle) == postgres_connection_ok else { throw lost() }
                fault = fault ?? Self.fault(in: result)
            }
            index += 1
        }
    }

    /// Sends what is still to be sent, and waits until a result can be taken.
    private func waitForResult(until deadline: ContinuousClock.Instant) throws(PostgresFault) {
        while true {
            let left = PQflush(handle)
            guard left >= 0 else { throw lost() }
            if PQisBusy(handle) == 0 { return }
            let rest = deadline - .now
            guard rest > .zero else {
                // The answer may still come, and would be taken for the next one's.
                isLost = true
                throw PostgresFault(.unavailable, cause: "PostgreSQL gave no answer in time")
            }
            var place = pollfd(fd: PQsocket(handle), events: Int16(POLLIN | (left > 0 ? POLLOUT : 0)), revents: 0)
            let milliseconds = rest.components.seconds * 1_000 + rest.components.attoseconds / 1_000_000_000_000_000
            guard poll(&place, 1, Int32(clamping: milliseconds + 1)) >= 0 || errno == EINTR else { throw lost() }
            guard place.revents & Int16(POLLIN | POLLERR | POLLHUP) == 0 || PQconsumeInput(handle) == 1 else {
                throw lost()
            }
        }
    }

    private func lost() -> PostgresFault {
        let said = PQerrorMessage(handle).map { PostgresAddress.line(String(cString: $0)) } ?? ""
        return PostgresFault(.lost, cause: "the connection to PostgreSQL ended: \(said)")
    }

    private static func fault(in result: OpaquePointer) -> PostgresFault {
        func field(_ code: Int32) -> String { PQresultErrorField(result, code).map { String(cString: $0) } ?? "" }
        return PostgresFault(state: field(postgres_field_state), message: field(postgres_field_message))
    }
}
