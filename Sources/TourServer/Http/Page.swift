import HTTPTypes
import TourModel

/// Which part of a list a client asks for: so many rows behind the last one that it has. A row's key grows along the
/// list and never changes, so that nothing is missed or told twice where rows come and go between two pages.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct PageRequest: Sendable {
    /// At most what the list gives without a wish.
    let limit: Int
    /// The key of the last row that the client has; empty at the beginning.
    let cursor: [UInt8]

    init(limit: Int, cursor: [UInt8]) {
        self.limit = limit
        self.cursor = cursor
    }

    /// - Parameter rowsMax: of one answer.
    /// - Throws: `invalid` for the fields `limit` and `cursor`.
    init(_ call: Call, rowsMax: Int = ServerLimits.pageRowsMax) throws(Failure) {
        let rows = call.query("limit").map { Int($0) } ?? rowsMax
        guard let rows, (1...rowsMax).contains(rows) else { throw .invalid("limit") }
        let text = call.query("cursor") ?? ""
        guard text.utf8.count <= ServerLimits.cursorDigitsMax, let cursor = Hex.decode(text) else {
            throw .invalid("cursor")
        }
        limit = rows
        self.cursor = cursor
    }

    /// - Parameter rows: ascending by their keys, which are of one length.
    func page<Row>(of rows: [Row], key: (Row) -> [UInt8]) -> Page<Row> {
        let rest = rows.drop { !cursor.lexicographicallyPrecedes(key($0)) }
        let part = Array(rest.prefix(limit))
        return Page(rows: part, next: rest.count > limit ? part.last.map(key) : nil)
    }
}

/// Some rows of a list.
struct Page<Row> {
    let rows: [Row]
    /// The key of the last one; nil when no more follow.
    let next: [UInt8]?
}

extension Page: Sendable where Row: Sendable {}

extension Answer {
    /// A list in JSON, and in `Link` where it goes on. Source: RFC 8288.
    static func page<Row: Encodable>(_ page: Page<Row>, _ request: PageRequest) throws(Failure) -> Answer {
        try .json(page.rows).leading(to: page.next, request)
    }

    /// The same in the envelope of seed 000.
    static func enveloped<Row: Encodable>(_ page: Page<Row>, _ request: PageRequest) throws(Failure) -> Answer {
        try .json(Enveloped(data: page.rows)).leading(to: page.next, request)
    }

    private func leading(to next: [UInt8]?, _ request: PageRequest) -> Answer {
        guard let next else { return self }
        var answer = self
        // Relative to the request, so that it holds behind any proxy.
        answer.headers[.link] = "<?limit=\(request.limit)&cursor=\(Hex.encode(next))>; rel=\"next\""
        return answer
    }
}

extension HTTPField.Name {
    static let link = Self("Link")!
}

extension Array<UInt8> {
    /// Numbers and ids in one, in the order of the numbers first. Negative numbers do not occur.
    static func pageKey(_ number: Int64, _ rest: [UInt8] = []) -> [UInt8] {
        var key = [UInt8]()
        key.append(bigEndian: UInt64(bitPattern: number))
        return key + rest
    }
}
