import TourModel

/// The links of one network, which share its way out and the queue there: how much of files they have on their way
/// together, and whose turn it is. Source: `Protocol/11-blobs.md`, "Pace".
///
/// Whoever runs it looks at the links that have something on their way, whenever a link asks for a turn and every
/// `blobLookInterval` while one waits, and tells those that are called.
package struct BlobWay: Sendable {
    /// Given by whoever runs it.
    package typealias Link = Int

    private struct Place: Sendable {
        var pace = BlobPace()
        /// When something was last acknowledged, or nothing was on its way.
        var movedAt: Instant
        /// What it last asked for.
        var waiting = BlobWindow.slice
        /// When it was last given a turn.
        var wentAt: Instant?
        /// What it was given then was not through in time; so it is until something is.
        var isLate = false

        var hasRoom: Bool { pace.hasRoom(for: waiting) }
        var isSlow: Bool { isLate || pace.crowdedSince != nil }

        func isInTime(_ now: Instant) -> Bool { wentAt.map { now - $0 <= Limits.blobTurnTime } ?? false }
    }

    /// From a slice's beginning until it has come, behind all that was on the way before it: that time, less the least
    /// round trip, is what the queue takes to run dry.
    private struct Round: Sendable {
        var link: Link
        var begunAt: Instant
        /// All that was on the way then, with the slice.
        var bytes: Int
        /// With so many acknowledged of the link it ends.
        var end: UInt64
    }

    private var places: [Link: Place] = [:]
    /// Who waits for a turn, in order.
    private var line: [Link] = []
    /// Who of it was called last, and has not asked since.
    private var called: [Link] = []
    private var window = BlobWindow()
    private var round: Round?

    package init() {}

    /// Links that had something on their way when they were last looked at.
    package var underWay: [Link] {
        var links = [Link]()
        for (link, place) in places where place.pace.onTheWay > 0 { links.append(link) }
        return links
    }

    package var isAwaited: Bool { !line.isEmpty }

    package mutating func note(_ reading: BlobPace.Reading, of link: Link, now: Instant) {
        var place = places[link] ?? Place(movedAt: now)
        let wasIdle = place.pace.onTheWay == 0
        if place.pace.note(reading, now) > 0 || wasIdle { place.movedAt = now }
        if place.pace.onTheWay > Limits.blobRemainderBytes {
            if place.wentAt != nil, !place.isInTime(now) { place.isLate = true }
        } else if place.isInTime(now) {
            place.isLate = false
        }
        places[link] = place
        if mostAreSlow(now) { window.bytes = BlobWindow.slice }
        guard let round else { return }
        if link == round.link, reading.acknowledgedBytes >= round.end {
            learn(from: round, leastRoundTrip: reading.leastRoundTrip, now)
            self.round = nil
        } else if now - round.begunAt > Limits.blobTurnTime {
            self.round = nil
        }
    }

    private mutating func learn(from round: Round, leastRoundTrip: Duration, _ now: Instant) {
        // It was over at some time between the last look and this one.
        let dry = max(now - round.begunAt - leastRoundTrip - Limits.blobLookInterval, .zero)
        let came = round.bytes - Limits.blobRemainderBytes
        func isOut(_ bytes: Int) -> Bool { dry * bytes <= Limits.blobQueueDelay * came }
        if !isOut(round.bytes) {
            let fitting = came * Int(Limits.blobQueueDelay.microseconds) / Int(dry.microseconds)
            window.bytes = min(window.bytes, fitting)
        } else if round.bytes + BlobWindow.slice <= window.bytes || mostAreSlow(now) {
            // It was not the window that kept more from being on its way.
        } else if isOut(2 * round.bytes) {
            window.bytes += round.bytes
        } else if isOut(round.bytes + BlobWindow.slice) {
            window.bytes += BlobWindow.slice
        }
    }

    /// Of those that something is known of: who waits has nothing on its way that could tell.
    private func mostAreSlow(_ now: Instant) -> Bool {
        var known = 0
        var slow = 0
        for (link, place) in places where now - place.movedAt <= Limits.blobTurnTime || line.contains(link) {
            known += 1
            if place.isSlow { slow += 1 }
        }
        return slow * 2 > known
    }

    /// Asked by a link that has a slice waiting, after its reading and those of `underWay` were noted. One that may not
    /// go waits in the line until it is called.
    /// - Parameter bytes: of the slice.
    /// - Returns: whether it may go.
    package mutating func takes(_ link: Link, bytes: Int, now: Instant) -> Bool {
        called.removeAll { $0 == link }
        places[link]?.waiting = bytes
        if !line.contains(link) { line.append(link) }
        guard let place = places[link], place.pace.hasRoom(for: bytes) else { return false }
        // Others do not wait for one whose way is slow behind the one that all share, nor it for them.
        let isApart = isApart(place, now)
        guard isApart || next(now) == link else { return false }
        leave(link)
        let before = onTheWay(now)
        places[link]?.wentAt = now
        places[link]?.pace.send(bytes)
        // Little tells little.
        if round == nil, !isApart, bytes > Limits.blobRemainderBytes {
            // Not to the last byte: the system counts whole segments as unacknowledged.
            let own = place.pace.onTheWay + bytes - Limits.blobRemainderBytes
            round = Round(
                link: link, begunAt: now, bytes: before + bytes, end: place.pace.acknowledgedBytes + UInt64(own))
        }
        return true
    }

    /// Who may go now, of those in the line. Who was called the last time and did not ask has left it: it asks again
    /// when it has something to send.
    package mutating func call(now: Instant) -> [Link] {
        line.removeAll { called.contains($0) }
        called = line.filter { link in places[link].map { isApart($0, now) && $0.hasRoom } ?? false }
        if let next = next(now), !called.contains(next) { called.append(next) }
        return called
    }

    /// Whose turn it is, of those in the line; nil while enough is on its way.
    private func next(_ now: Instant) -> Link? {
        guard let first = line.first(where: { places[$0]?.hasRoom == true }), let place = places[first],
            window.takes(place.waiting, beside: onTheWay(now))
        else { return nil }
        return first
    }

    private func onTheWay(_ now: Instant) -> Int {
        var bytes = 0
        for place in places.values where place.isInTime(now) && !isApart(place, now) { bytes += place.pace.onTheWay }
        return bytes
    }

    /// It has been slow for long, and most others are not.
    private func isApart(_ place: Place, _ now: Instant) -> Bool {
        let isLongCrowded = place.pace.crowdedSince.map { now - $0 > Limits.blobTurnTime } ?? false
        return (place.isLate || isLongCrowded) && !mostAreSlow(now)
    }

    /// The link has nothing to send.
    package mutating func leave(_ link: Link) {
        line.removeAll { $0 == link }
        called.removeAll { $0 == link }
    }

    /// The link is gone.
    package mutating func forget(_ link: Link) {
        leave(link)
        places[link] = nil
        if round?.link == link { round = nil }
    }
}
