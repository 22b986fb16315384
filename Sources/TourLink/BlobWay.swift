import TourModel

/// The links of one network, which share its way out and the queue there: how much of files they have on their way
/// together, and whose turn it is. Source: `Protocol/11-blobs.md`, "Pace".
///
/// Whoever runs it looks at the links that have something on their way, whenever a link asks for a turn and every
/// `lookInterval` while one waits, and tells those that are called.
package struct BlobWay: Sendable {
    /// Given by whoever runs it.
    package typealias Link = Int

    private struct Place: Sendable {
        var pace = BlobPace()
        /// When something was last acknowledged, or sent after nothing was on its way.
        var movedAt: Instant
        /// What it last asked for.
        var waiting = BlobWindow.slice

        var hasRoom: Bool { pace.hasRoom(for: waiting) }

        func isFresh(_ now: Instant) -> Bool { now - movedAt <= Limits.blobTurnTime }
    }

    /// From a slice's beginning until all that was on its way with it has come: that time, less the least that a round
    /// trip takes, is what a queue takes to run dry.
    private struct Round: Sendable {
        var begunAt: Instant
        var bytes: Int
        /// With `acknowledged` at this it ends.
        var end: UInt64
        var leastRoundTrip: Duration
    }

    private var places: [Link: Place] = [:]
    /// Who waits for a turn, in order.
    private var line: [Link] = []
    /// Who of it was called last, and has not asked since.
    private var called: [Link] = []
    private var window = BlobWindow()
    private var round: Round?
    private var acknowledged: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { places.isEmpty }

    /// Links that had something on their way when they were last looked at.
    package var underWay: [Link] {
        var links = [Link]()
        for (link, place) in places where place.pace.onTheWay > 0 { links.append(link) }
        return links
    }

    package var isAwaited: Bool { !line.isEmpty }

    /// When it is worth the while to look again: soon, where something is about to be sent.
    package var lookInterval: Duration {
        var least: Duration?
        for place in places.values where place.pace.onTheWay > 0 {
            least = min(least ?? Limits.blobLookIntervalMax, place.pace.lookInterval)
        }
        return least ?? Limits.blobLookIntervalMin
    }

    package mutating func note(_ reading: BlobPace.Reading, of link: Link, now: Instant) {
        let wasIdle = places[link].map { $0.pace.onTheWay == 0 } ?? true
        let news = places[link, default: Place(movedAt: now)].pace.note(reading, now)
        if news > 0 || wasIdle { places[link]?.movedAt = now }
        acknowledged += UInt64(news)
        if mostAreCrowded(now) { window.bytes = BlobWindow.slice }
        guard let round else { return }
        if acknowledged >= round.end {
            learn(from: round, now)
            self.round = nil
        } else if now - round.begunAt > Limits.blobTurnTime {
            self.round = nil
        }
    }

    private mutating func learn(from round: Round, _ now: Instant) {
        let dry = now - round.begunAt - round.leastRoundTrip
        if dry > Limits.blobQueueDelay {
            let fitting = round.bytes * Int(Limits.blobQueueDelay.microseconds) / Int(dry.microseconds)
            window.bytes = min(window.bytes, fitting)
        } else if round.bytes + BlobWindow.slice <= window.bytes || mostAreCrowded(now) {
            // It was not the window that kept more from being on its way.
        } else if dry * 2 <= Limits.blobQueueDelay {
            window.bytes += round.bytes
        } else if dry * (round.bytes + BlobWindow.slice) <= Limits.blobQueueDelay * round.bytes {
            window.bytes += BlobWindow.slice
        }
    }

    private func mostAreCrowded(_ now: Instant) -> Bool {
        var fresh = 0
        var crowded = 0
        for place in places.values where place.isFresh(now) {
            fresh += 1
            if place.pace.crowdedSince != nil { crowded += 1 }
        }
        return crowded * 2 > fresh
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
        if isApart(place, now) {
            leave(link)
            return true
        }
        guard next(now) == link else { return false }
        leave(link)
        if round == nil {
            let sent = onTheWay(now) + bytes
            round = Round(
                begunAt: now, bytes: sent, end: acknowledged + UInt64(sent), leastRoundTrip: place.pace.leastRoundTrip)
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
        for place in places.values where place.isFresh(now) && !isApart(place, now) { bytes += place.pace.onTheWay }
        return bytes
    }

    /// Packets to it have queued up for long, and most others' do not.
    private func isApart(_ place: Place, _ now: Instant) -> Bool {
        guard let since = place.pace.crowdedSince, now - since > Limits.blobTurnTime else { return false }
        return !mostAreCrowded(now)
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
    }
}
