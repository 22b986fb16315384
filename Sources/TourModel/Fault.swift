/// How far a fault reaches: the scope decides what the shell does, so every protocol error has one.
package enum FaultScope: String, Sendable {
    /// Drop this record; the link and its other records are untouched.
    case record
    /// Close this link; other links and the store are untouched.
    case link
    /// Stop this node: it cannot trust its own store or keys.
    case node
}

/// An error with its scope. Descriptions never contain keys, texts or names.
package protocol Fault: Error, Sendable, CustomStringConvertible {
    /// How far the fault reaches.
    var scope: FaultScope { get }
    /// Stable, lower-case words with dashes: the key of the counter in `status`.
    var code: String { get }
    /// The description where no language is chosen: in logs, and for programs.
    var english: String { get }
}

extension Fault {
    package var english: String { "\(code) (\(scope.rawValue))" }
    package var description: String { english }
}
