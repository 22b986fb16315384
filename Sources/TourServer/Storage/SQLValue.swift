/// What goes into a statement and comes out of a row: the types that every database of ours has.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    /// Without U+0000, which no database keeps: what reads a text from a request refuses it.
    case text(String)
    case bytes([UInt8])

    package init(_ value: String?) { self = value.map(SQLValue.text) ?? .null }
    package init(_ value: Int64?) { self = value.map(SQLValue.integer) ?? .null }
    package init(_ value: [UInt8]?) { self = value.map(SQLValue.bytes) ?? .null }
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
}

/// One row of an answer: its columns by their place, from 0, as the statement names them.
package struct SQLRow: Sendable {
    let values: [SQLValue]

    /// - Throws: `internal` when the column holds another type: the statement and its reader do not belong together.
    package func integer(_ column: Int) throws(Failure) -> Int64 {
        guard case .integer(let value) = values[column] else { throw mismatch(column) }
        return value
    }

    /// A number of things, bytes or steps, or a time. A database is a file like others: whatever somebody writes there
    /// must not end the server.
    /// - Throws: `internal` also for a number below zero, and for one whose sum with another might be none.
    package func count(_ column: Int) throws(Failure) -> Int64 {
        let value = try integer(column)
        guard (0...Self.countMax).contains(value) else {
            throw Failure(.internalError, cause: "column \(column) of a row has a number that nobody writes there")
        }
        return value
    }

    /// Beyond the microseconds to the year 9999.
    private static let countMax: Int64 = 1 << 60

    package func text(_ column: Int) throws(Failure) -> String {
        guard case .text(let value) = values[column] else { throw mismatch(column) }
        return value
    }

    package func bytes(_ column: Int) throws(Failure) -> [UInt8] {
        guard case .bytes(let value) = values[column] else { throw mismatch(column) }
        return value
    }

    /// nil for NULL.
    package func optionalText(_ column: Int) throws(Failure) -> String? {
        values[column] == .null ? nil : try text(column)
    }

    /// nil for NULL.
    package func optionalInteger(_ column: Int) throws(Failure) -> Int64? {
        values[column] == .null ? nil : try integer(column)
    }

    private func mismatch(_ column: Int) -> Failure {
        Failure(.internalError, cause: "column \(column) of a row has another type than its reader expects")
    }
}
