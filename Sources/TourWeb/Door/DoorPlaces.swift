/// Decides which connections a listening socket of the local API keeps. Source: `Protocol/13-page.md`, "Connections".
///
/// Any program that reaches the socket can hold connections at no cost. So connections that have shown no secret have
/// few places, for a short time, and the one that has been silent for longest makes room: a program that fills all of
/// them shuts out nobody who sends a request as soon as it is connected.
///
/// Where parties are told apart (`DoorBounds.shares`), each has a share, and of all places those of the party with the
/// most go first. So one party holds up itself alone.
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

    /// A connection that makes room for a newcomer, and must be closed.
    package struct Leaving {
        /// The connection.
        package let id: ID
        /// How long it had been there.
        package let stay: Duration
        /// Whether the share of its party was full, which is the newcomer's too.
        package let isOfShare: Bool
    }

    private struct Place {
        var isKnown = false
        var party: DoorParty
        let openedAt: Time
        /// When its last complete head arrived, or its last answer was sent.
        var heardAt: Time
        /// Requests that have begun, and those that arrived completely, less the answered ones.
        var begun = 0
        var whole = 0
        /// Parts of answers that the connection has not accepted yet, and since when nothing of them was.
        var unread = 0
        var unreadSince: Time

        /// Those that are closed first come first: nobody waits there, we wait, somebody waits.
        private var worth: Int {
            if begun <= 0, unread <= 0 { return 0 }
            return unread > 0 || whole < begun ? 1 : 2
        }

        func goesBefore(_ other: Place) -> Bool { (worth, heardAt) < (other.worth, other.heardAt) }
        var isIdle: Bool { begun <= 0 }
    }

    private let bounds: DoorBounds
    private var places = [ID: Place]()

    package init(_ bounds: DoorBounds) { self.bounds = bounds }

    /// How many connections have shown no secret.
    package var strangers: Int { places.values.count { !$0.isKnown } }
    /// How many connections have shown a secret.
    package var known: Int { places.count - strangers }

    /// How many connections a party has.
    package func count(of party: DoorParty) -> Int { places.values.count { $0.party == party } }

    /// A connection was made.
    /// - Returns: the connection that must make room.
    package mutating func opened(_ id: ID, by party: DoorParty = .everybody, now: Time) -> Leaving? {
        var leaving: Leaving?
        if let shares = bounds.shares, count(of: party) >= shares.addressMax {
            leaving = first(where: { $0.party == party }).map { leave($0, isOfShare: true, now) }
        } else if strangers >= bounds.strangersMax {
            let largest = largest { !$0.isKnown }
            leaving = longestSilent(where: { !$0.isKnown && $0.party == largest }).map {
                leave($0, isOfShare: false, now)
            }
        }
        places[id] = Place(party: party, openedAt: now, heardAt: now, unreadSince: now)
        return leaving
    }

    private mutating func leave(_ id: ID, isOfShare: Bool, _ now: Time) -> Leaving {
        let stay = places.removeValue(forKey: id).map { $0.openedAt.duration(to: now) }
        return Leaving(id: id, stay: stay ?? .zero, isOfShare: isOfShare)
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
            guard let leaving = leavingKnown(for: place.party) else {
                places[id]?.heardAt = now
                return .refused
            }
            places[leaving] = nil
            verdict = .admittedFor(leaving)
        }
        place.isKnown = true
        places[id] = place
        return verdict
    }

    /// The known connection that makes room for one of this party. One that waits for an answer is closed for nobody
    /// but a party that has fewer, or its own.
    private func leavingKnown(for party: DoorParty) -> ID? {
        guard bounds.shares != nil, let largest = largest(where: \.isKnown, favouring: party) else {
            return longestSilent { $0.isKnown && $0.isIdle }
        }
        let most = places.values.count { $0.isKnown && $0.party == largest }
        guard largest == party || most > 1 else { return longestSilent { $0.isKnown && $0.isIdle } }
        return first { $0.isKnown && $0.party == largest }
    }

    /// The request that came over this connection is a seat's: from here on the connection counts as the seat's.
    /// - Returns: the connection of the seat that must make room.
    package mutating func belongs(_ id: ID, to seat: String) -> ID? {
        let party = DoorParty.seat(seat)
        guard let shares = bounds.shares, let place = places[id], place.party != party else { return nil }
        let leaving = count(of: party) >= shares.seatMax ? first { $0.party == party } : nil
        if let leaving { places[leaving] = nil }
        places[id]?.party = party
        return leaving
    }

    /// Seats have ended.
    /// - Parameter isKnown: whether an address is still that of a guest.
    /// - Returns: what they hold, which must be closed: their connections, and others by which their phones had come.
    package mutating func ended(_ seats: Set<String>, isKnown: (String) -> Bool) -> [ID] {
        let gone = places.filter { _, place in
            switch place.party {
            case .seat(let seat): seats.contains(seat)
            case .address(let address): place.isKnown && !isKnown(address)
            }
        }
        for id in gone.keys { places[id] = nil }
        return Array(gone.keys)
    }

    /// A request arrived completely.
    package mutating func asked(_ id: ID) { places[id]?.whole += 1 }

    /// A part of an answer was handed to the connection.
    package mutating func wrote(_ id: ID, now: Time) {
        guard var place = places[id] else { return }
        if place.unread <= 0 { place.unreadSince = now }
        place.unread += 1
        places[id] = place
    }

    /// The connection has accepted a part of an answer.
    package mutating func took(_ id: ID, now: Time) {
        places[id]?.unread -= 1
        places[id]?.unreadSince = now
    }

    /// A request was answered completely, perhaps before it arrived completely.
    package mutating func answered(_ id: ID, now: Time) {
        places[id]?.begun -= 1
        places[id]?.whole -= 1
        places[id]?.heardAt = now
    }

    /// A connection was closed.
    package mutating func closed(_ id: ID) { places[id] = nil }

    /// Removes the connections that have made us wait for too long: strangers with their requests, anybody with an
    /// answer that it does not accept.
    /// - Returns: those, and when to call again at the earliest: nil while we wait for none.
    package mutating func overdue(now: Time) -> (gone: [ID], next: Time?) {
        var gone = [ID]()
        var next: Time?
        for (id, place) in places {
            guard let until = end(of: place) else { continue }
            if until <= now { gone.append(id) } else { next = min(next ?? until, until) }
        }
        for id in gone { places[id] = nil }
        return (gone, next)
    }

    /// Until when we wait for a connection; nil: we do not.
    private func end(of place: Place) -> Time? {
        let request = place.isKnown || place.whole > 0 ? nil : bounds.patience.map { place.heardAt + $0 }
        let answer = place.unread > 0 ? bounds.answerTime.map { place.unreadSince + $0 } : nil
        return [request, answer].compactMap(\.self).min()
    }

    /// The party with the most of these places. Of several, the one that is favoured.
    private func largest(where isMeant: (Place) -> Bool, favouring one: DoorParty? = nil) -> DoorParty? {
        var counts = [DoorParty: Int]()
        for place in places.values where isMeant(place) { counts[place.party, default: 0] += 1 }
        guard let most = counts.max(by: { $0.value < $1.value }) else { return nil }
        // With the newcomer its party may have the most.
        if let one, let own = counts[one], own + 1 >= most.value { return one }
        return most.key
    }

    private func first(where isMeant: (Place) -> Bool) -> ID? {
        places.filter { isMeant($0.value) }.min { $0.value.goesBefore($1.value) }?.key
    }

    private func longestSilent(where isMeant: (Place) -> Bool) -> ID? {
        places.filter { isMeant($0.value) }.min { $0.value.heardAt < $1.value.heardAt }?.key
    }
}
