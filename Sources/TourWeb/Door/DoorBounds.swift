/// Limits of one listening socket of the local API. Source: `Protocol/13-page.md`, "Connections".
package struct DoorBounds: Equatable, Sendable {
    /// Simultaneous connections that have shown no secret.
    package var strangersMax: Int
    /// Simultaneous connections that have shown one.
    package var knownMax: Int
    /// How long to wait for the head of a stranger's request, and for the rest of it; nil: for ever.
    package var patience: Duration?
    /// How long a connection may stay open without a request; nil: for ever.
    package var idleTime: Duration?
    /// How long a connection may accept nothing of an answer that it is being sent; nil: for ever.
    package var answerTime: Duration?
    /// What one party may have of the places; nil: parties are not told apart.
    package var shares: DoorShares?

    package init(
        strangersMax: Int, knownMax: Int, patience: Duration? = nil, idleTime: Duration? = nil,
        answerTime: Duration? = nil, shares: DoorShares? = nil
    ) {
        self.strangersMax = strangersMax
        self.knownMax = knownMax
        self.patience = patience
        self.idleTime = idleTime
        self.answerTime = answerTime
        self.shares = shares
    }

    /// Fewer places keep a stranger for less time in the same flood.
    package var floodPause: Duration { DoorLimits.floodPause * strangersMax / DoorLimits.strangersMax }
}

/// What one party may have of the places at a listening socket. Source: `Protocol/13-page.md`, "Connections".
package struct DoorShares: Equatable, Sendable {
    /// Simultaneous connections of one address that have not shown whose they are.
    package var addressMax: Int
    /// Simultaneous connections of one seat.
    package var seatMax: Int

    package init(addressMax: Int, seatMax: Int) {
        self.addressMax = addressMax
        self.seatMax = seatMax
    }
}

/// Source: `Protocol/13-page.md`, "Connections".
package enum DoorLimits {
    /// Connections to the page's port without the token, and with it: a browser opens six to one origin, and each
    /// page keeps one stream open.
    package static let strangersMax = 64
    /// Connections to the page's port with the token.
    package static let knownMax = 128
    /// How long to wait for a stranger's request at the page's port.
    package static let strangerPatience: Duration = .seconds(5)
    /// How long a connection to the page's port may stay open without a request.
    package static let idleTime: Duration = .seconds(60)
    /// If a stranger stayed for less time than this before it made room, there is a flood: nobody is admitted for
    /// this long, and the loop is free for links.
    package static let floodPause: Duration = .milliseconds(50)
    /// The same stay where an address fills its own share, and the pause then: others wait behind it in the kernel's
    /// queue, but not for long.
    package static let shareFloodStay: Duration = .milliseconds(25)
    package static let shareFloodPause: Duration = .milliseconds(2)
    /// Connections that wait for admission meanwhile; Linux allows no more by default.
    package static let waitingMax = 4_096
    /// Connections to the door for guests from addresses without a guest: a group scans the code at the same time, and
    /// each browser opens up to six.
    package static let guestStrangersMax = 256
    /// Connections to the door for guests from addresses with one: each of 200 has a stream of news, and asks.
    package static let guestKnownMax = 600
    /// How long to wait for a stranger's request at the door for guests, over a Wi-Fi that is full of them.
    package static let guestPatience: Duration = .seconds(10)
    /// What one address, and one seat, has of these: eight phones of a family behind one router with the six
    /// connections that a browser opens, and two windows of one phone with their streams of news.
    package static let guestShares = DoorShares(addressMax: 48, seatMax: 16)
    /// How long a phone, or a page without the token, may accept nothing of an answer.
    package static let answerTime: Duration = .seconds(20)
    /// Connections to the Unix socket that have sent no request, and those that have.
    package static let socketSilentMax = 64
    /// Connections to the Unix socket that have sent a request.
    package static let socketAskingMax = 128

    /// How many descriptors a node asks for.
    package static let descriptorsMax = 65_536
    /// Of these, descriptors reserved for links, their handshakes, the store, files and programs that the node
    /// starts.
    package static let descriptorsKept = 384
    /// The smallest number of places at each of the two sockets.
    static let strangersMin = 4
    static let knownMin = 8
}

/// The limits of all sockets for the process's number of descriptors.
package struct DescriptorShares: Equatable, Sendable {
    /// At the page's port.
    package let page: DoorBounds
    /// At the Unix socket.
    package let socket: DoorBounds
    /// At each port of the door for guests: of what the other two leave.
    package let guests: DoorBounds

    /// - Parameters:
    ///   - limit: descriptors that this process may have open.
    ///   - guestDescriptors: how many descriptors one connection at each of the ports for guests takes, in all.
    package init(limit: Int, guestDescriptors: Int = 1) {
        // Each admitted connection may also have a file open.
        let wanted =
            DoorLimits.strangersMax + DoorLimits.socketSilentMax
            + 2 * (DoorLimits.knownMax + DoorLimits.socketAskingMax)
        let room = min(max(limit - DoorLimits.descriptorsKept, 0), wanted)
        func share(_ named: Int, atLeast least: Int) -> Int { max(named * room / wanted, least) }
        page = DoorBounds(
            strangersMax: share(DoorLimits.strangersMax, atLeast: DoorLimits.strangersMin),
            knownMax: share(DoorLimits.knownMax, atLeast: DoorLimits.knownMin),
            patience: DoorLimits.strangerPatience, idleTime: DoorLimits.idleTime)
        // A client of this socket owns the data, so it may take its time.
        socket = DoorBounds(
            strangersMax: share(DoorLimits.socketSilentMax, atLeast: DoorLimits.strangersMin),
            knownMax: share(DoorLimits.socketAskingMax, atLeast: DoorLimits.knownMin))
        let rest = max(limit - DoorLimits.descriptorsKept - wanted, 0) / guestDescriptors
        guests = DoorBounds(
            strangersMax: min(max(rest / 8, DoorLimits.strangersMin), DoorLimits.guestStrangersMax),
            knownMax: min(max(rest / 2, DoorLimits.knownMin), DoorLimits.guestKnownMax),
            patience: DoorLimits.guestPatience, idleTime: DoorLimits.idleTime, answerTime: DoorLimits.answerTime,
            shares: DoorLimits.guestShares)
    }
}
