/// How far a fault reaches: the scope decides what the shell does, so it is part of every protocol error.
package enum FaultScope: String, Sendable {
    /// Drop this record; the link and its other records are untouched.
    case record
    /// Close this link; other links and the store are untouched.
    case link
    /// Stop this node: its own store or keys are not to be trusted.
    case node
}

/// An error that says how far it reaches. Descriptions never hold keys, texts or names.
package protocol Fault: Error, Sendable, CustomStringConvertible {
    var scope: FaultScope { get }
    /// Stable, lower-case words with dashes: the key of the counter in `status`.
    var code: String { get }
    /// What it says where nobody is asked for a language: in logs, and to programs.
    var english: String { get }
}

extension Fault {
    package var english: String { "\(code) (\(scope.rawValue))" }
    package var description: String { english }
}
