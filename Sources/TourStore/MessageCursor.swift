/// A listing under way: what is left of a query.
package struct MessageCursor: Hashable, Sendable {
    var query: MessageQuery
    /// Messages that may still come.
    var left: Int

    /// At the beginning of what the query selects.
    package init(_ query: MessageQuery) {
        self.query = query
        left = query.limit.map { max($0, 0) } ?? .max
    }
}
