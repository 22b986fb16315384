/// The bounds of all exchanges of one transport.
package struct TransferLimits: Sendable {
    /// How long a connection may take to open.
    package var connect: Duration
    /// How long the peer may neither send nor accept a byte.
    package var silence: Duration
    /// Connections at once, to all hosts together: further exchanges wait for one. nil: one for each exchange.
    package var connectionsMax: Int?

    // Source of the defaults: `Protocol/09-mailbox.md`, "Limits".
    /// - Parameter connect: how long a connection may take to open.
    /// - Parameter silence: how long the peer may neither send nor accept a byte.
    /// - Parameter connectionsMax: connections at once; nil: one for each exchange.
    package init(connect: Duration = .seconds(10), silence: Duration = .seconds(30), connectionsMax: Int? = nil) {
        self.connect = connect
        self.silence = silence
        self.connectionsMax = connectionsMax
    }
}
