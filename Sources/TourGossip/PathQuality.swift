import TourModel

/// Whether datagrams go to the peer of a link, and how well.
package struct PathQuality: Hashable, Sendable {
    package enum State: String, Sendable {
        /// One of the two sides has no port for them.
        case off
        /// None was needed yet, or the first is on its way.
        case untested
        case working
        /// The last ones, or their acknowledgements, did not come: the connection carries everything.
        case blocked
    }

    package var state: State
    /// Nil before one was measured.
    package var roundTrip: Duration?
    /// Of a thousand datagrams, of how many it or its acknowledgement was lost.
    package var lossPerMille: Int
}

/// How long datagrams and their acknowledgements take. Source: RFC 6298.
struct RoundTrips: Hashable, Sendable {
    private var microseconds: Int64?
    private var deviation: Int64 = 0

    mutating func note(_ time: Duration) {
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
        guard let microseconds else { return Limits.pathTimeoutFirst }
        let wanted = Duration.microseconds(microseconds + 4 * deviation)
        return min(max(wanted, Limits.pathTimeoutMin), Limits.pathTimeoutMax)
    }
}

/// Of how many datagrams a try, or its acknowledgement, was lost. It is believed sooner than that it is over.
struct PathLoss: Hashable, Sendable {
    /// In millionths: a thousandth would never fade.
    private var share = 0

    mutating func note(tries: Int) {
        let lost = 1_000_000 * (tries - 1) / max(tries, 1)
        share += (lost - share) / (lost > share ? 16 : 64)
    }

    var perMille: Int { share / 1_000 }

    var isHigh: Bool { perMille >= Limits.pathLossHigh }

    var isVeryHigh: Bool { perMille >= Limits.pathLossVeryHigh }
}

/// How many datagrams had come before: their acknowledgements were lost.
struct PathDoubles: Hashable, Sendable {
    /// In millionths.
    private var share = 0
    private(set) var areMany = false

    mutating func note(isNew: Bool) {
        share += ((isNew ? 0 : 1_000_000) - share) / 64
        // What follows from it makes them fewer.
        areMany = share / 1_000 >= (areMany ? Limits.pathDoublesLow : Limits.pathDoublesHigh)
    }
}
