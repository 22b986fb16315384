/// Whose a connection at a listening socket is: places are shared out among parties, not among connections.
/// Source: `Protocol/13-page.md`, "Connections".
package enum DoorParty: Hashable, Sendable {
    /// Whoever is at this address (`GuestParty`), and has shown of no connection whose it is.
    case address(String)
    /// The seat whose channel was used over the connection.
    case seat(String)

    /// All connections of a socket whose clients are not told apart.
    package static let everybody = DoorParty.address("")
}
