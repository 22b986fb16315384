import Synchronization

/// From the request to end the server on, every answer is the last one of its connection.
package final class Farewell: Sendable {
    private let begun = Atomic(false)

    package init() {}

    /// Whether it has begun.
    var isBegun: Bool { begun.load(ordering: .relaxed) }

    /// From here on.
    package func begin() { begun.store(true, ordering: .relaxed) }
}
