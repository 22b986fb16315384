/// How much of a file is here.
package enum FileState: String, Encodable, JSONReadable {
    /// All of it is here.
    case complete
    /// The node is fetching it.
    case fetching
    /// The file is wanted, but no neighbour has the missing parts.
    case waiting
    /// Nobody asked for it here.
    case known
    /// The disk has no room for it; the node tries again when somebody asks for it.
    case noRoom = "no-room"
}
