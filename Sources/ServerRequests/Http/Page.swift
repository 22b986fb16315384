import HTTPTypes
import ServerBase
import TourModel

/// The part of a list that a client asks for: so many rows behind the last one that it has. Row keys ascend along the
/// list and never change, so that no row is missed or sent twice when rows come and go between two pages.
/// Contract: `Protocol/Schema/openapi.yaml`.
package struct PageRequest: Sendable {
    /// The maximum of rows; at most, and by default, the list's own maximum.
    package let limit: Int
    /// The key of the last row that the client has; empty at the beginning.
    package let cursor: [UInt8]

    package init(limit: Int, cursor: [UInt8]) {
        self.limit = limit
        self.cursor = cursor
    }

    /// - Parameter rowsMax: the list's maximum of rows in one answer.
    /// - Throws: `invalidField` for `limit` and `cursor`.
    package init(_ call: Call, rowsMax: Int = ServerLimits.pageRowsMax) throws(Failure) {
        let rows = call.query("limit").map { Int($0) } ?? rowsMax
        guard let rows, (1...rowsMax).contains(rows) else { throw .invalid("limit") }
        let text = call.query("cursor") ?? ""
        guard text.utf8.count <= ServerLimits.cursorDigitsMax, let cursor = Hex.decode(text) else {
            throw .invalid("cursor")
        }
        limit = rows
        self.cursor = cursor
    }

    /// - Parameter rows: in ascending order of their keys, which all have one length.
    package func page<Row>(of rows: [Row], key: (Row) -> [UInt8]) -> Page<Row> {
        page(read: Array(rows.drop { !cursor.lexicographicallyPrecedes(key($0)) }), key: key)
    }

    /// - Parameter rows: those behind the cursor: all of them, or at least one more than the limit.
    package func page<Row>(read rows: [Row], key: (Row) -> [UInt8]) -> Page<Row> {
        let part = Array(rows.prefix(limit))
        return Page(rows: part, next: rows.count > limit ? part.last.map(key) : nil)
    }

    /// The cursor of a list whose keys are of two numbers, for the statement that reads the rows behind it; less than
    /// every key at the beginning. Whatever no answer gave out lies somewhere in the list, or behind it.
    package var numbers: (Int64, Int64) {
        guard !cursor.isEmpty else { return (-1, -1) }
        let bytes = Array(cursor.prefix(16)) + [UInt8](repeating: 0, count: max(16 - cursor.count, 0))
        func number(_ part: ArraySlice<UInt8>) -> Int64 {
            Int64(clamping: part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        return (number(bytes.prefix(8)), number(bytes.suffix(8)))
    }
}

/// Some rows of a list.
package struct Page<Row> {
    /// The rows of this page, in the list's order.
    package let rows: [Row]
    /// The key of the last row; nil when no rows follow.
    package let next: [UInt8]?

    package init(rows: [Row], next: [UInt8]?) {
        self.rows = rows
        self.next = next
    }
}

extension Page: Sendable where Row: Sendable {}

extension Answer {
    /// A list in JSON; the `Link` header leads to the next page.
    /// Source: RFC 8288.
    package static func page<Row: Encodable>(_ page: Page<Row>, _ request: PageRequest) throws(Failure) -> Answer {
        try .json(page.rows).leading(to: page.next, request)
    }

    /// A list whose rows are JSON already.
    package static func page(ofJSON page: Page<String>, _ request: PageRequest) -> Answer {
        json("[" + page.rows.joined(separator: ",") + "]").leading(to: page.next, request)
    }

    /// The same list in the envelope of seed 000.
    package static func enveloped(ofJSON page: Page<String>, _ request: PageRequest) -> Answer {
        json(#"{"data":["# + page.rows.joined(separator: ",") + "]}").leading(to: page.next, request)
    }

    private func leading(to next: [UInt8]?, _ request: PageRequest) -> Answer {
        guard let next else { return self }
        var answer = self
        // Relative to the request, so that the link works behind any proxy.
        answer.headers[.link] = "<?limit=\(request.limit)&cursor=\(Hex.encode(next))>; rel=\"next\""
        return answer
    }
}

extension HTTPField.Name {
    static let link = Self("Link")!
}

extension Array<UInt8> {
    /// A key of a number and an id, which sorts by the number first. The number must not be negative.
    package static func pageKey(_ number: Int64, _ rest: [UInt8] = []) -> [UInt8] {
        var key = [UInt8]()
        key.append(bigEndian: UInt64(bitPattern: number))
        return key + rest
    }
}

/// The envelope of seed 000 around every answer.
package struct Enveloped<Value: Encodable>: Encodable {
    let data: Value

    package init(data: Value) { self.data = data }
}
