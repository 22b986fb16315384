import TourModel

/// The links of one network, which share its outgoing path and the queue there: how many bytes of files they may have
/// on their way together, and which sends next. Source: `Protocol/11-blobs.md`, "Pace".
///
/// The shell reads the links that have something on their way, whenever a link asks for a turn and every
/// `lookInterval` while one waits, and tells the links that `call` returns.
package struct BlobWay: Sendable {
    /// The longest time in which the queues on the path of a network's links may drain of files, or of one slice if
    /// that takes longer: messages wait in the same queues, whichever link they use.
    package static let queueDelay: Duration = .milliseconds(8)
    /// The bytes on the way that count as none: the end of a slice that has nearly arrived, a message, or the last
    /// bytes of a chunk, which the receiver may take 40 ms to acknowledge.
    package static let remainderBytes = 4 * 1024
    /// How long unacknowledged bytes keep other links of their network from sending, and how long queues on the path of
    /// one link count as queues on the shared path.
    package static let turnTime: Duration = .milliseconds(500)
    /// How often the shell reads the connections of a network while slices wait: it can measure a round no more
    /// precisely.
    package static let lookInterval: Duration = .milliseconds(1)

    /// A number that the shell assigns.
    package typealias Link = Int

    private struct Place: Sendable {
        var pace = BlobPace()
        /// When bytes were last acknowledged, or nothing was on its way.
        var movedAt: Instant
        /// The size of the last slice that it asked to send.
        var waiting = BlobWindow.slice
        /// When it last got a turn.
        var wentAt: Instant?
        /// The bytes of its last turn were not through in time; true until some are.
        var isLate = false

        var hasRoom: Bool { pace.hasRoom(for: waiting) }
        var isSlow: Bool { isLate || pace.crowdedSince != nil }

        func isInTime(_ now: Instant) -> Bool { wentAt.map { now - $0 <= BlobWay.turnTime } ?? false }
    }

    /// From the start of a slice until it is acknowledged, behind everything on its way before it: that time, less the
    /// least round trip, is how long the queue takes to drain.
    private struct Round: Sendable {
        var link: Link
        var begunAt: Instant
        /// All bytes on their way then, the slice included.
        var bytes: Int
        /// The round ends when the link has this many bytes acknowledged.
        var end: UInt64
    }

    private var places: [Link: Place] = [:]
    /// Links that wait for a turn, in order.
    private var line: [Link] = []
    /// Links of it that the last `call` returned and that have not asked since.
    private var called: [Link] = []
    private var window = BlobWindow()
    private var round: Round?

    package init() {}

    /// Links that had something on their way at their last reading.
    package var underWay: [Link] {
        var links = [Link]()
        for (link, place) in places where place.pace.onTheWay > 0 { links.append(link) }
        return links
    }

    /// Whether a link waits for a turn.
    package var isAwaited: Bool { !line.isEmpty }

    /// Applies a link's reading: adjusts the shared window when a round ends.
    package mutating func apply(_ reading: BlobPace.Reading, of link: Link, now: Instant) {
        var place = places[link] ?? Place(movedAt: now)
        let wasIdle = place.pace.onTheWay == 0
        if place.pace.apply(reading, now) > 0 || wasIdle { place.movedAt = now }
        if place.pace.onTheWay > Self.remainderBytes {
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
        } else if now - round.begunAt > Self.turnTime {
            self.round = nil
        }
    }

    private mutating func learn(from round: Round, leastRoundTrip: Duration, _ now: Instant) {
        // The round ended at some time between the last reading and this one.
        let dry = max(now - round.begunAt - leastRoundTrip - Self.lookInterval, .zero)
        let came = round.bytes - Self.remainderBytes
        func isOut(_ bytes: Int) -> Bool { dry * bytes <= Self.queueDelay * came }
        if !isOut(round.bytes) {
            let fitting = came * Int(Self.queueDelay.microseconds) / Int(dry.microseconds)
            window.bytes = min(window.bytes, fitting)
        } else if round.bytes + BlobWindow.slice <= window.bytes || mostAreSlow(now) {
            // Something other than the window kept more from being on its way.
        } else if isOut(2 * round.bytes) {
            window.bytes += round.bytes
        } else if isOut(round.bytes + BlobWindow.slice) {
            window.bytes += BlobWindow.slice
        }
    }

    /// Whether most of the links with recent data are slow: a waiting link has nothing on its way that could tell.
    private func mostAreSlow(_ now: Instant) -> Bool {
        var known = 0
        var slow = 0
        for (link, place) in places where now - place.movedAt <= Self.turnTime || line.contains(link) {
            known += 1
            if place.isSlow { slow += 1 }
        }
        return slow * 2 > known
    }

    /// Call this when a link has a slice waiting, after its reading and those of `underWay` were noted. A link that may
    /// not send waits in the line until it is called.
    /// - Parameter bytes: the size of the slice.
    /// - Returns: whether it may send.
    package mutating func acquireTurn(for link: Link, bytes: Int, now: Instant) -> Bool {
        called.removeAll { $0 == link }
        places[link]?.waiting = bytes
        if !line.contains(link) { line.append(link) }
        guard let place = places[link], place.pace.hasRoom(for: bytes) else { return false }
        // Others do not wait for a link that is slow beyond the shared path, nor does it wait for them.
        let isApart = isApart(place, now)
        guard isApart || next(now) == link else { return false }
        leave(link)
        let before = onTheWay(now)
        places[link]?.wentAt = now
        places[link]?.pace.send(bytes)
        // A small slice shows little.
        if round == nil, !isApart, bytes > Self.remainderBytes {
            // The last bytes are left out: the system counts whole segments as unacknowledged.
            let own = place.pace.onTheWay + bytes - Self.remainderBytes
            round = Round(
                link: link, begunAt: now, bytes: before + bytes, end: place.pace.acknowledgedBytes + UInt64(own))
        }
        return true
    }

    /// The links in the line that may send now. A link that was called last time and did not ask has left the line: it
    /// asks again when it has something to send.
    package mutating func call(now: Instant) -> [Link] {
        line.removeAll { called.contains($0) }
        called = line.filter { link in places[link].map { isApart($0, now) && $0.hasRoom } ?? false }
        if let next = next(now), !called.contains(next) { called.append(next) }
        return called
    }

    /// The link in the line that is next; nil while enough is on its way.
    private func next(_ now: Instant) -> Link? {
        guard let first = line.first(where: { places[$0]?.hasRoom == true }), let place = places[first],
            window.hasRoom(for: place.waiting, beside: onTheWay(now))
        else { return nil }
        return first
    }

    private func onTheWay(_ now: Instant) -> Int {
        var bytes = 0
        for place in places.values where place.isInTime(now) && !isApart(place, now) { bytes += place.pace.onTheWay }
        return bytes
    }

    /// Whether the link has been slow for long while most others are not.
    private func isApart(_ place: Place, _ now: Instant) -> Bool {
        let isLongCrowded = place.pace.crowdedSince.map { now - $0 > Self.turnTime } ?? false
        return (place.isLate || isLongCrowded) && !mostAreSlow(now)
    }

    /// Removes a link that has nothing to send from the line.
    package mutating func leave(_ link: Link) {
        line.removeAll { $0 == link }
        called.removeAll { $0 == link }
    }

    /// Forgets a link that has closed.
    package mutating func forget(_ link: Link) {
        leave(link)
        places[link] = nil
        if round?.link == link { round = nil }
    }
}
