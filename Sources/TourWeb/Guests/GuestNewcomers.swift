import TourModel

/// Limits how many new seats an address gets, so that one guest with the pass does not fill the host: behind one
/// address there is a family with a few phones. Source: `Protocol/15-seats.md`, "Limits".
package struct GuestNewcomers: Sendable {
    /// What becomes of a phone that wants a new seat.
    package enum Verdict: Equatable, Sendable {
        /// It counts; where it gets no seat, `giveBack` follows.
        case counted
        /// It counted before: the answer to its first request may have been lost.
        case known
        /// To be asked again after so many seconds.
        case tooMany(seconds: Int)
    }

    private struct Place {
        /// When nothing of what was counted counts any more.
        var freeAt: Instant
        /// The phones that were counted.
        var phones: Set<Int> = []
    }

    private var places: [String: Place] = [:]

    /// How long as many newcomers as may come at once count.
    private let most: Duration

    /// - Parameter atOnce: how many an address may bring at once.
    package init(atOnce: Int = GuestLimits.newcomersAtOnce) { most = GuestLimits.newcomerTime * atOnce }

    /// A phone at this address wants a seat.
    /// - Parameter phone: tells phones apart.
    package mutating func begin(_ phone: Int, at address: String, now: Instant) -> Verdict {
        var place = places[address] ?? Place(freeAt: now)
        if place.freeAt <= now { place = Place(freeAt: now) }
        guard !place.phones.contains(phone) else { return .known }
        let over = place.freeAt + GuestLimits.newcomerTime - (now + most)
        guard over <= .zero else { return .tooMany(seconds: Int((over.microseconds + 999_999) / 1_000_000)) }
        place.freeAt = place.freeAt + GuestLimits.newcomerTime
        place.phones.insert(phone)
        if places.count >= KeyedRate<String>.keysMax, places[address] == nil { makeRoom(now) }
        places[address] = place
        return .counted
    }

    /// A phone that was counted got no seat.
    package mutating func giveBack(_ phone: Int, at address: String) {
        guard var place = places[address], place.phones.remove(phone) != nil else { return }
        place.freeAt = Instant(microseconds: place.freeAt.microseconds - GuestLimits.newcomerTime.microseconds)
        places[address] = place
    }

    private mutating func makeRoom(_ now: Instant) {
        places = places.filter { $0.value.freeAt > now }
        if places.count >= KeyedRate<String>.keysMax, let first = places.min(by: { $0.value.freeAt < $1.value.freeAt })
        {
            places[first.key] = nil
        }
    }
}
