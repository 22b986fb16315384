/// Why a call on a bus failed. Scope: one call, or everything that needs the bus.
package enum BusError: Error, Hashable, Sendable {
    /// There is no such bus, the bus has gone, or no program there owns the wanted name.
    case unavailable
    /// The library for the bus is not installed.
    case noLibrary
    /// The called program answered with the error of this name, or not in time.
    case failed(String)
}
