import CPostgres
import ServerBase

/// Why a call of PostgreSQL failed.
/// Source: PostgreSQL 15, appendix A, "PostgreSQL Error Codes".
struct PostgresFault: Error, Sendable {
    enum Kind: Sendable {
        /// Another transaction was quicker: the same one may succeed when it is run again.
        case conflict
        /// A row with the same key is there. It may have come after this transaction looked for it.
        case duplicate
        /// The connection has prepared a statement in a form that no longer fits: a new connection prepares it anew.
        case stale
        /// The connection ended; what was not committed is undone.
        case lost
        /// The database gave no answer in time, or cannot work now.
        case unavailable
        /// The disk of the database is full.
        case full
        /// The statement is wrong.
        case wrong
    }

    let kind: Kind
    /// For the log: names tables and columns, never values.
    let cause: String

    init(_ kind: Kind, cause: String) {
        self.kind = kind
        self.cause = cause
    }

    /// An error that the database reported.
    /// - Parameter state: five letters and digits.
    init(state: String, message: String) {
        kind = Self.kind(of: state)
        // Messages about data name values.
        let said = state.hasPrefix("22") ? "" : ": " + message
        let advice = Self.advice[state] ?? Self.advice[String(state.prefix(2))] ?? ""
        cause = "PostgreSQL \(state)\(said)\(advice)"
    }

    private static func kind(of state: String) -> Kind {
        switch state {
        case "40001", "40P01": .conflict
        case "23505": .duplicate
        // A cached plan must not change its type; no such prepared statement.
        case "0A000", "26000": .stale
        // The operator ends connections.
        case "57P01", "57P02", "57P05", "25P03": .lost
        case "53100": .full
        case "55P03", "25006", "42501": .unavailable
        default:
            switch state.prefix(2) {
            case "08": .lost
            // Resources, limits, intervention, the system, damage.
            case "53", "54", "57", "58", "XX": .unavailable
            default: .wrong
            }
        }
    }

    /// What the operator can do, by code or by class of codes.
    private static let advice = [
        "53100": " (its disk is full: make room there)",
        "53300": " (raise its max_connections, or run fewer processes)",
        "25006": " (this is a copy that only reads: name the primary, or add target_session_attrs=read-write)",
        "42501": " (make the user the owner of the database: ALTER DATABASE … OWNER TO …)",
        "57014": " (the statement took too long)",
    ]

    var failure: Failure {
        switch kind {
        case .wrong, .duplicate: Failure(.internalError, cause: cause)
        case .conflict, .stale, .lost, .unavailable, .full: Failure(.unavailable, retryAfter: 1, cause: cause)
        }
    }
}
