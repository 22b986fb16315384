import CPostgres

/// A statement and its values, as they are sent.
struct PostgresCommand: Sendable {
    let statement: String
    let values: [SQLValue]
    /// Whether the connection keeps the statement prepared.
    let isKept: Bool

    /// A statement of the server, which comes again: changes of the schema alone do not.
    init(_ statement: String, _ values: [SQLValue] = []) {
        self.statement = statement
        self.values = values
        isKept = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains { statement.hasPrefix($0) }
    }

    /// Calls `body` with the values in the form that libpq takes: numbers as text, the others as their bytes.
    func withParameters<Value>(
        _ body: (
            _ count: Int32, _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
            _ formats: UnsafePointer<Int32>?
        ) -> Value
    ) -> Value {
        var bytes = [UInt8](), starts = [Int?]()
        var lengths = [Int32](), formats = [Int32]()
        for value in values {
            starts.append(value == .null ? nil : bytes.count)
            switch value {
            case .null: break
            case .integer(let number): bytes += Array(String(number).utf8)
            case .text(let text): bytes += Array(text.utf8)
            case .bytes(let content): bytes += content
            }
            if case .integer = value { formats.append(0) } else { formats.append(1) }
            lengths.append(Int32(bytes.count - (starts.last.flatMap(\.self) ?? bytes.count)))
            // libpq takes numbers up to a zero.
            bytes.append(0)
        }
        return bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { buffer in
                let pointers = starts.map { start in start.flatMap { buffer.baseAddress?.advanced(by: $0) } }
                return body(Int32(values.count), pointers, lengths, formats)
            }
        }
    }
}

/// The answer to one command.
struct PostgresResult: Sendable {
    var rows: [SQLRow] = []
    /// How many rows the statement changed.
    var changes = 0

    /// Copies what libpq holds.
    /// - Throws: `wrong` for a column of a type that the server does not use.
    init(_ result: OpaquePointer) throws(PostgresFault) {
        changes = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
        let (count, width) = (PQntuples(result), PQnfields(result))
        guard count > 0 else { return }
        let types = (0..<width).map { PQftype(result, $0) }
        rows.reserveCapacity(Int(count))
        for row in 0..<count {
            var values = [SQLValue]()
            values.reserveCapacity(Int(width))
            for column in 0..<width {
                guard PQgetisnull(result, row, column) == 0 else {
                    values.append(.null)
                    continue
                }
                let bytes = UnsafeRawBufferPointer(
                    start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
                values.append(try Self.value(bytes, types[Int(column)]))
            }
            rows.append(SQLRow(values: values))
        }
    }

    private static func value(_ bytes: UnsafeRawBufferPointer, _ type: Oid) throws(PostgresFault) -> SQLValue {
        switch type {
        case postgres_type_bytea: return .bytes(Array(bytes))
        case postgres_type_text, postgres_type_varchar, postgres_type_name:
            return .text(String(decoding: bytes, as: UTF8.self))
        case postgres_type_bool, postgres_type_int2, postgres_type_int4, postgres_type_int8:
            // Big-endian; the first bit is the sign's.
            let start: Int64 = (bytes.first ?? 0) & 0x80 == 0 ? 0 : -1
            return .integer(bytes.reduce(start) { $0 << 8 | Int64($1) })
        // What a function that only does something returns.
        case postgres_type_void: return .null
        default: throw PostgresFault(.wrong, cause: "a column is of the type \(type), which no statement here has")
        }
    }
}
