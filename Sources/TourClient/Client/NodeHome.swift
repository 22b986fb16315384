/// A data directory, and the node that a command starts on it where none runs. The program installs its own as
/// `NodeAccess.homes`: nodes are none of this module's business.
package protocol NodeHome: Sendable {
    /// Without a passphrase.
    init(dataDirectory: String)

    /// Whether the data directory belongs to a node.
    var holdsNode: Bool { get }
    /// Whether opening the data directory needs a passphrase that was not given.
    var needsPassphrase: Bool { get }
    /// Whether the node opens no sockets to the network.
    var isOffline: Bool { get set }

    /// - Throws: when the data directory holds other files, and none of a node.
    func checkDirectory() throws
    /// Takes ownership of the bytes; nil: there is none.
    mutating func setPassphrase(_ bytes: consuming [UInt8]?)
    /// Starts the node in this process, does the work through its socket, and stops the node in order, whatever
    /// happens.
    /// - Throws: the error of the work, or what prevented the node from starting.
    func run<Result: Sendable>(
        _ work: @escaping @Sendable (LocalClient) async throws -> Result
    ) async throws -> Result
}

/// Where the program has installed nothing, no node is ever there.
struct NoHome: NodeHome {
    var isOffline = false

    var holdsNode: Bool { false }
    var needsPassphrase: Bool { false }

    init(dataDirectory: String) {}

    func checkDirectory() {}

    func setPassphrase(_ bytes: consuming [UInt8]?) {}

    func run<Result: Sendable>(_ work: @escaping @Sendable (LocalClient) async throws -> Result) throws -> Result {
        throw CommandFailure.noNode
    }
}
