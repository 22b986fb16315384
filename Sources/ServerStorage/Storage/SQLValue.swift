import ServerBase

/// A value of a statement or a row: the types that both SQLite and PostgreSQL have.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    /// A text without U+0000, which databases do not store: the readers of requests reject it.
    case text(String)
    case bytes([UInt8])

    /// The text; `null` for nil.
    package init(_ value: String?) { self = value.map(SQLValue.text) ?? .null }
    /// The number; `null` for nil.
    package init(_ value: Int64?) { self = value.map(SQLValue.integer) ?? .null }
    /// The bytes; `null` for nil.
    package init(_ value: [UInt8]?) { self = value.map(SQLValue.bytes) ?? .null }
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
}

/// One row of a result: its columns by their index in the statement, from 0.
package struct SQLRow: Sendable {
    let values: [SQLValue]

    /// The number in a column.
    /// - Throws: `internal` when the column holds another type: statement and reader do not match.
    package func integer(_ column: Int) throws(Failure) -> Int64 {
        guard case .integer(let value) = values[column] else { throw mismatch(column) }
        return value
    }

    /// A count, a size or a time. Anybody with access may have edited the database file, and no number in it may crash
    /// the server.
    /// - Throws: `internal`, also for a number below zero or so large that sums could overflow.
    package func count(_ column: Int) throws(Failure) -> Int64 {
        let value = try integer(column)
        guard (0...Self.countMax).contains(value) else {
            throw Failure(.internalError, cause: "column \(column) of a row has a number that nobody writes there")
        }
        return value
    }

    /// More than the microseconds to the year 9999.
    private static let countMax: Int64 = 1 << 60

    /// The text in a column.
    /// - Throws: `internal` when the column holds another type.
    package func text(_ column: Int) throws(Failure) -> String {
        guard case .text(let value) = values[column] else { throw mismatch(column) }
        return value
    }

    /// The bytes in a column.
    /// - Throws: `internal` when the column holds another type.
    package func bytes(_ column: Int) throws(Failure) -> [UInt8] {
        guard case .bytes(let value) = values[column] else { throw mismatch(column) }
        return value
    }

    /// The text in a column; nil for NULL.
    package func optionalText(_ column: Int) throws(Failure) -> String? {
        values[column] == .null ? nil : try text(column)
    }

    /// The number in a column; nil for NULL.
    package func optionalInteger(_ column: Int) throws(Failure) -> Int64? {
        values[column] == .null ? nil : try integer(column)
    }

    /// The bytes in a column; nil for NULL.
    package func optionalBytes(_ column: Int) throws(Failure) -> [UInt8]? {
        values[column] == .null ? nil : try bytes(column)
    }

    private func mismatch(_ column: Int) -> Failure {
        Failure(.internalError, cause: "column \(column) of a row has another type than its reader expects")
    }
}
