import CSodium

/// The library behind every primitive.
package enum Sodium {
    /// Initialises the library, once for the process. Every entry point of this module that needs it calls this; the
    /// shell calls it at its start only so that a machine without randomness stops there.
    package static func start() { _ = started }

    private static let started: Void = {
        precondition(sodium_init() >= 0, "libsodium does not start: no source of randomness")
    }()
}
