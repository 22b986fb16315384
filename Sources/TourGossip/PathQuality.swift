import TourModel

/// Whether datagrams go to the peer of a link, and how well.
package struct PathQuality: Hashable, Sendable {
    /// Whether datagrams go to the peer.
    package enum State: String, Sendable {
        /// One of the two sides has no port for them.
        case off
        /// No datagram was needed yet, or the first is on its way.
        case untested
        /// Datagrams arrive both ways.
        case working
        /// The last datagrams, or their acknowledgements, did not arrive: the connection carries everything.
        case blocked
    }

    /// Whether datagrams go to the peer.
    package var state: State
    /// The mean round trip; nil before one was measured.
    package var roundTrip: Duration?
    /// How many datagrams of a thousand were lost, or their acknowledgements.
    package var lossPerMille: Int
}

/// The round trips of datagrams and their acknowledgements. Source: RFC 6298.
struct RoundTrips: Hashable, Sendable {
    /// How long to wait for an acknowledgement: before any arrived, at least and at most.
    static let timeoutFirst: Duration = .milliseconds(50)
    private static let timeoutMin: Duration = .milliseconds(8)
    private static let timeoutMax: Duration = .milliseconds(500)

    private var microseconds: Int64?
    private var deviation: Int64 = 0

    mutating func record(_ time: Duration) {
        let time = time.microseconds
        guard let mean = microseconds else {
            (microseconds, deviation) = (time, time / 2)
            return
        }
        deviation += (abs(time - mean) - deviation) / 4
        microseconds = mean + (time - mean) / 8
    }

    var mean: Duration? { microseconds.map { .microseconds($0) } }

    var timeout: Duration {
        guard let microseconds else { return Self.timeoutFirst }
        let wanted = Duration.microseconds(microseconds + 4 * deviation)
        return min(max(wanted, Self.timeoutMin), Self.timeoutMax)
    }
}

/// The share of datagrams that were lost, or their acknowledgements. The estimate rises faster than it falls.
struct PathLoss: Hashable, Sendable {
    /// The losses of a thousand, there and back, from which acknowledgements of live events go out at once.
    private static let high = 30
    /// The losses from which unacknowledged messages are sent again without a question.
    private static let veryHigh = 300

    /// In millionths: a share in thousandths would never fade.
    private var share = 0

    mutating func record(tries: Int) {
        let lost = 1_000_000 * (tries - 1) / max(tries, 1)
        share += (lost - share) / (lost > share ? 16 : 64)
    }

    var perMille: Int { share / 1_000 }

    var isHigh: Bool { perMille >= Self.high }

    var isVeryHigh: Bool { perMille >= Self.veryHigh }
}

/// The share of datagrams that had arrived before: their acknowledgements were lost.
struct PathDuplicates: Hashable, Sendable {
    /// The repeated datagrams of a thousand from which acknowledgements that did not wait go out twice, and those at
    /// which that ends.
    private static let high = 150
    private static let low = 30

    /// In millionths.
    private var share = 0
    private(set) var areMany = false

    mutating func record(isNew: Bool) {
        share += ((isNew ? 0 : 1_000_000) - share) / 64
        // Sending acknowledgements twice lowers the share, hence the lower bound for ending it.
        areMany = share / 1_000 >= (areMany ? Self.low : Self.high)
    }
}
