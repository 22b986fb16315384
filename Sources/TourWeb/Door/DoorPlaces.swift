/// Decides which connections a listening socket of the local API keeps. Source: `Protocol/13-page.md`, "Connections".
///
/// Any program that reaches the socket can hold connections at no cost. So connections that have shown no secret have
/// few places, for a short time, and the one that has been silent for longest makes room: a program that fills all of
/// them shuts out nobody who sends a request as soon as it is connected.
package struct DoorPlaces<ID: Hashable> {
    /// A moment of a clock that never steps.
    package typealias Time = ContinuousClock.Instant

    /// What to do with a connection that shows a secret.
    package enum Verdict: Equatable {
        case admitted
        /// Admitted in place of this connection, which must be closed.
        case admittedFor(ID)
        case refused
    }

    private struct Place {
        var isKnown = false
        let openedAt: Time
        /// When its last complete head arrived, or its last answer was sent.
        var heardAt: Time
        /// Requests that have begun, and those that arrived completely, less the answered ones.
        var begun = 0
        var whole = 0
    }

    private let bounds: DoorBounds
    private var places = [ID: Place]()

    package init(_ bounds: DoorBounds) { self.bounds = bounds }

    /// How many connections have shown no secret.
    package var strangers: Int { places.values.count { !$0.isKnown } }
    /// How many connections have shown a secret.
    package var known: Int { places.count - strangers }

    /// A connection was made.
    /// - Returns: the connection that must make room, and how long it had been there.
    package mutating func opened(_ id: ID, now: Time) -> (id: ID, stay: Duration)? {
        var leaving: (ID, Duration)?
        if strangers >= bounds.strangersMax, let (silent, place) = longestSilent(where: { !$0.isKnown }) {
            leaving = (silent, place.openedAt.duration(to: now))
            places[silent] = nil
        }
        places[id] = Place(openedAt: now, heardAt: now)
        return leaving
    }

    /// The head of a request arrived. A refused connection remains a stranger.
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
            // A connection that waits for an answer is not closed.
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

    /// A request arrived completely.
    package mutating func asked(_ id: ID) { places[id]?.whole += 1 }

    /// A request was answered completely, perhaps before it arrived completely.
    package mutating func answered(_ id: ID, now: Time) {
        places[id]?.begun -= 1
        places[id]?.whole -= 1
        places[id]?.heardAt = now
    }

    /// A connection was closed.
    package mutating func closed(_ id: ID) { places[id] = nil }

    /// Removes the strangers that have made us wait for too long. A connection that is being answered does not make
    /// us wait.
    /// - Returns: those, and when to call again at the earliest: nil while we wait for none.
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
