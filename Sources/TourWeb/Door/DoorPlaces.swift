/// Which connections a listening socket of the local API keeps. Source: `Protocol/13-page.md`, "Connections".
///
/// Whoever reaches the socket holds connections for nothing. So those that have shown no secret have few places, for a
/// short time, and the one that has kept silent for longest makes room: a program that fills all of them keeps nobody
/// out, who asks as soon as it is connected.
package struct DoorPlaces<ID: Hashable> {
    package typealias Time = ContinuousClock.Instant

    package enum Verdict: Equatable {
        case admitted
        /// There was no room: this one goes.
        case admittedFor(ID)
        case refused
    }

    private struct Place {
        var isKnown = false
        let openedAt: Time
        /// When it said something whole for the last time, or was answered.
        var heardAt: Time
        /// Requests that have begun, and those that came whole, without the answered ones.
        var begun = 0
        var whole = 0
    }

    private let bounds: DoorBounds
    private var places = [ID: Place]()

    package init(_ bounds: DoorBounds) { self.bounds = bounds }

    package var strangers: Int { places.values.count { !$0.isKnown } }
    package var known: Int { places.count - strangers }

    /// A connection was made.
    /// - Returns: who makes room, and how long it had been there.
    package mutating func opened(_ id: ID, now: Time) -> (id: ID, stay: Duration)? {
        var leaving: (ID, Duration)?
        if strangers >= bounds.strangersMax, let (silent, place) = longestSilent(where: { !$0.isKnown }) {
            leaving = (silent, place.openedAt.duration(to: now))
            places[silent] = nil
        }
        places[id] = Place(openedAt: now, heardAt: now)
        return leaving
    }

    /// The whole head of a request came. A connection that is refused stays a stranger.
    /// - Parameter showsSecret: once is enough for a connection.
    package mutating func began(_ id: ID, showsSecret: Bool, now: Time) -> Verdict {
        guard var place = places[id] else { return .refused }
        place.heardAt = now
        place.begun += 1
        guard showsSecret, !place.isKnown else {
            places[id] = place
            return .admitted
        }
        var verdict = Verdict.admitted
        if known >= bounds.knownMax {
            // Whoever waits for an answer is not sent away.
            guard let (silent, _) = longestSilent(where: { $0.isKnown && $0.begun <= 0 }) else {
                places[id]?.heardAt = now
                return .refused
            }
            places[silent] = nil
            verdict = .admittedFor(silent)
        }
        place.isKnown = true
        places[id] = place
        return verdict
    }

    /// A request came whole.
    package mutating func asked(_ id: ID) { places[id]?.whole += 1 }

    /// A request was answered to the end, which may be before it came whole.
    package mutating func answered(_ id: ID, now: Time) {
        places[id]?.begun -= 1
        places[id]?.whole -= 1
        places[id]?.heardAt = now
    }

    package mutating func closed(_ id: ID) { places[id] = nil }

    /// Takes out the strangers that have let us wait for too long. Who is being answered lets nobody wait.
    /// - Returns: those, and when to ask again at the earliest: nil while there are none that we wait for.
    package mutating func overdue(now: Time) -> (gone: [ID], next: Time?) {
        guard let patience = bounds.patience else { return ([], nil) }
        let awaited = places.filter { !$0.value.isKnown && $0.value.whole <= 0 }
        let gone = awaited.filter { $0.value.heardAt + patience <= now }.map(\.key)
        for id in gone { places[id] = nil }
        let next = awaited.values.map { $0.heardAt + patience }.filter { $0 > now }.min()
        return (gone, next)
    }

    private func longestSilent(where isMeant: (Place) -> Bool) -> (ID, Place)? {
        places.filter { isMeant($0.value) }.min { $0.value.heardAt < $1.value.heardAt }.map { ($0.key, $0.value) }
    }
}
