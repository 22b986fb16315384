/// Why the bus of the user's session does not help. Scope: one call, or all that needs the bus.
package enum BusError: Error, Hashable, Sendable {
    /// There is no session bus, it has gone, or nothing there has the wanted name.
    case unavailable
    /// The library that talks to the bus is not installed.
    case noLibrary
    /// It answered with the error of this name, or not in time.
    case failed(String)
}
