/// A listing in progress: the rest of a query.
package struct MessageCursor: Hashable, Sendable {
    var query: MessageQuery
    /// The number of messages that may still follow.
    var left: Int

    /// Starts at the beginning of the query's results.
    package init(_ query: MessageQuery) {
        self.query = query
        left = query.limit.map { max($0, 0) } ?? .max
    }
}
