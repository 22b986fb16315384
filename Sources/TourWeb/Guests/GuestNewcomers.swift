import TourModel

/// Limits how many new seats an address gets, so that one guest with the pass does not fill the host: behind one
/// address there is a family with a few phones. And how fast all of them come, so that somebody with many addresses
/// is seen before the host is full. Source: `Protocol/15-seats.md`, "Limits".
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

    /// So many at once, then one more in a time.
    private struct Pace {
        /// When nothing of what was counted counts any more.
        var freeAt: Instant
        let time: Duration
        let atOnce: Int

        /// How long until one more may come; zero: now.
        func pause(now: Instant) -> Duration { max(max(freeAt, now) + time - (now + time * atOnce), .zero) }
        mutating func count(now: Instant) { freeAt = max(freeAt, now) + time }
        mutating func giveBack() { freeAt = Instant(microseconds: freeAt.microseconds - time.microseconds) }
    }

    private struct Place {
        var pace: Pace
        /// The phones that were counted.
        var phones: Set<Int> = []
    }

    private var places: [String: Place] = [:]
    private var all: Pace
    private let atOnce: Int

    /// - Parameters:
    ///   - atOnce: how many an address may bring at once.
    ///   - ofAll: how many may come at once whatever their addresses.
    package init(
        atOnce: Int = GuestLimits.newcomersAtOnce, ofAll: Int = GuestLimits.newcomersOfAllAtOnce
    ) {
        self.atOnce = atOnce
        all = Pace(freeAt: Instant(microseconds: 0), time: GuestLimits.newcomerTimeOfAll, atOnce: ofAll)
    }

    /// A phone at this address wants a seat.
    /// - Parameter phone: tells phones apart.
    package mutating func begin(_ phone: Int, at address: String, now: Instant) -> Verdict {
        var place = places[address].flatMap { $0.pace.freeAt > now ? $0 : nil } ?? empty(now)
        guard !place.phones.contains(phone) else { return .known }
        let pause = max(place.pace.pause(now: now), all.pause(now: now))
        guard pause <= .zero else { return .tooMany(seconds: Int((pause.microseconds + 999_999) / 1_000_000)) }
        place.pace.count(now: now)
        all.count(now: now)
        place.phones.insert(phone)
        if places.count >= KeyedRate<String>.keysMax, places[address] == nil { makeRoom(now) }
        places[address] = place
        return .counted
    }

    private func empty(_ now: Instant) -> Place {
        Place(pace: Pace(freeAt: now, time: GuestLimits.newcomerTime, atOnce: atOnce))
    }

    /// A phone that was counted got no seat.
    package mutating func giveBack(_ phone: Int, at address: String) {
        guard var place = places[address], place.phones.remove(phone) != nil else { return }
        place.pace.giveBack()
        all.giveBack()
        places[address] = place
    }

    private mutating func makeRoom(_ now: Instant) {
        places = places.filter { $0.value.pace.freeAt > now }
        if places.count >= KeyedRate<String>.keysMax,
            let first = places.min(by: { $0.value.pace.freeAt < $1.value.pace.freeAt })
        {
            places[first.key] = nil
        }
    }
}
