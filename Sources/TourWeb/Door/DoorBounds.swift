/// What one listening socket of the local API bears. Source: `Protocol/13-page.md`, "Connections".
package struct DoorBounds: Equatable, Sendable {
    /// Connections at once that have shown no secret.
    package var strangersMax: Int
    /// Connections at once that have.
    package var knownMax: Int
    /// How long a stranger may let us wait for the head of a request, and for the rest of it; nil: for ever.
    package var patience: Duration?
    /// After how long without a request a connection is closed; nil: never.
    package var idleTime: Duration?

    package init(strangersMax: Int, knownMax: Int, patience: Duration? = nil, idleTime: Duration? = nil) {
        self.strangersMax = strangersMax
        self.knownMax = knownMax
        self.patience = patience
        self.idleTime = idleTime
    }

    /// With fewer places strangers stay for less in the same flood.
    package var floodPause: Duration { DoorLimits.floodPause * strangersMax / DoorLimits.strangersMax }
}

/// Source: `Protocol/13-page.md`, "Connections".
package enum DoorLimits {
    /// Connections to the page's port without the token, and with it: a browser opens six to one place, and one stream
    /// stays open for each page.
    package static let strangersMax = 64
    package static let knownMax = 128
    package static let strangerPatience: Duration = .seconds(5)
    package static let idleTime: Duration = .seconds(60)
    /// A stranger that made room sooner than this was one of a flood: nobody is let in for so long, and the loop is the
    /// links'.
    package static let floodPause: Duration = .milliseconds(50)
    /// Connections that wait to be let in meanwhile; Linux itself allows no more by default.
    package static let waitingMax = 4_096
    /// Connections to the Unix socket that have not asked for anything, and that have.
    package static let socketSilentMax = 64
    package static let socketAskingMax = 128

    /// Descriptors that a node wishes for.
    package static let descriptorsMax = 65_536
    /// Of these for links, their handshakes, the store, files and programs that are started.
    package static let descriptorsKept = 384
    /// What both sockets have in any case.
    static let strangersMin = 4
    static let knownMin = 8
}

/// How many connections the process's descriptors bear.
package struct DescriptorShares: Equatable, Sendable {
    package let page: DoorBounds
    package let socket: DoorBounds

    /// - Parameter limit: descriptors that this process may have open.
    package init(limit: Int) {
        // Whoever was let in may be reading a file.
        let wanted =
            DoorLimits.strangersMax + DoorLimits.socketSilentMax
            + 2 * (DoorLimits.knownMax + DoorLimits.socketAskingMax)
        let room = min(max(limit - DoorLimits.descriptorsKept, 0), wanted)
        func share(_ named: Int, atLeast least: Int) -> Int { max(named * room / wanted, least) }
        page = DoorBounds(
            strangersMax: share(DoorLimits.strangersMax, atLeast: DoorLimits.strangersMin),
            knownMax: share(DoorLimits.knownMax, atLeast: DoorLimits.knownMin),
            patience: DoorLimits.strangerPatience, idleTime: DoorLimits.idleTime)
        // Whoever reaches it owns the data: it may take its time.
        socket = DoorBounds(
            strangersMax: share(DoorLimits.socketSilentMax, atLeast: DoorLimits.strangersMin),
            knownMax: share(DoorLimits.socketAskingMax, atLeast: DoorLimits.knownMin))
    }
}
