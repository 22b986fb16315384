import Testing
import TourLink
import TourModel

// Goal: files use a way up and leave its queues short, on one link and on many, so that messages do not wait.
// Method: readings by hand; then one bottleneck with a queue without end, in steps of a quarter of a millisecond, which
// as many links share as a node has.
@Suite struct BlobPaceTests {
    private let slice = Limits.slicePayloadBytesMax
    private var way = BlobWay()
    private var now = Instant(microseconds: 0)

    /// A link that has a slice waiting is looked at.
    private mutating func takes(
        _ link: Int = 1, bytes: Int = Limits.slicePayloadBytesMax, unsent: Int = 0, out: Int = 0,
        acknowledged: Int = 0, milliseconds: Int = 5
    ) -> Bool {
        note(link, unsent: unsent, out: out, acknowledged: acknowledged, milliseconds: milliseconds)
        return way.acquireTurn(for: link, bytes: bytes, now: now)
    }

    private mutating func note(
        _ link: Int = 1, unsent: Int = 0, out: Int = 0, acknowledged: Int = 0, milliseconds: Int = 5
    ) {
        way.apply(
            BlobPace.Reading(
                unsentBytes: unsent, unacknowledgedBytes: out, acknowledgedBytes: UInt64(acknowledged),
                roundTrip: .milliseconds(milliseconds), leastRoundTrip: .milliseconds(5)),
            of: link, now: now)
    }

    /// Rounds as quick as there is nothing in the way: four slices are acknowledged then, and four may go.
    private mutating func growToFour() {
        for (known, out) in [(0, [0]), (1, [0, 1]), (2, [1])] {
            for out in out { #expect(takes(out: out * slice, acknowledged: known * slice)) }
            now = now + .milliseconds(5)
            note(acknowledged: (known + 1) * slice)
        }
        note(acknowledged: 4 * slice)
    }

    @Test mutating func theFirstSliceIsAlone() {
        #expect(takes())
        #expect(!takes(out: slice))
        #expect(!takes(unsent: BlobWay.remainderBytes + 1))
        #expect(!takes(out: BlobWay.remainderBytes + 1))
        // What is nearly there, and may be acknowledged late, counts as nothing; so do the last bytes of a chunk.
        #expect(takes(out: BlobWay.remainderBytes))
        #expect(takes(bytes: BlobWay.remainderBytes, out: slice))
        #expect(!takes(bytes: BlobWay.remainderBytes + 1, out: slice))
    }

    /// A round trip takes 5 ms, a queue may take 8 to run dry, and of one slice three quarters are waited for.
    @Test(arguments: [(0, 2), (4, 2), (5, 1), (8, 1), (20, 1)])
    mutating func theWindowGrowsWhereTwiceAsMuchIsNotTooMuch(milliseconds: Int, slices: Int) {
        #expect(takes())
        now = now + .milliseconds(5 + milliseconds)
        #expect(takes(acknowledged: slice))
        #expect(takes(out: slice, acknowledged: slice) == (slices > 1))
        #expect(!takes(out: 2 * slice, acknowledged: slice))
    }

    @Test mutating func theWindowGrowsBySlicesAndIsNoLargerThanFits() {
        growToFour()
        for out in 0..<4 { #expect(takes(out: out * slice, acknowledged: 4 * slice)) }
        #expect(!takes(out: 4 * slice, acknowledged: 4 * slice))
        // One came, and with the next four are on their way: quick enough for a fifth.
        #expect(takes(out: 3 * slice, acknowledged: 5 * slice))
        now = now + .milliseconds(12)
        for out in 0..<5 { #expect(takes(out: out * slice, acknowledged: 9 * slice)) }
        #expect(!takes(out: 5 * slice, acknowledged: 9 * slice))
        // Five in twice the time.
        #expect(takes(out: 4 * slice, acknowledged: 10 * slice))
        now = now + .milliseconds(22)
        for out in 0..<2 { #expect(takes(out: out * slice, acknowledged: 15 * slice)) }
        #expect(!takes(out: 2 * slice, acknowledged: 15 * slice))
    }

    @Test mutating func whatTheSystemHasNotSentYetIsWaitedFor() {
        growToFour()
        #expect(takes(unsent: BlobPace.unsentBytes - 1, acknowledged: 4 * slice))
        #expect(!takes(unsent: BlobPace.unsentBytes, acknowledged: 4 * slice))
    }

    @Test mutating func aQueueOnTheWayEndsTheWindow() {
        growToFour()
        #expect(takes(out: 3 * slice, acknowledged: 4 * slice))
        #expect(!takes(out: slice, acknowledged: 4 * slice, milliseconds: 21))
        #expect(takes(acknowledged: 4 * slice, milliseconds: 21))
        #expect(!takes(out: slice, acknowledged: 4 * slice, milliseconds: 20))
    }

    @Test mutating func allLinksShareOneWindow() {
        #expect(takes(1))
        note(1, out: slice)
        #expect(!takes(2) && !takes(3) && way.isAwaited)
        #expect(way.underWay == [1])
        #expect(way.call(now: now).isEmpty)
        // Its slice came through: the first of the line is next, whoever asks.
        now = now + .milliseconds(12)
        note(1, acknowledged: slice)
        #expect(!takes(1, acknowledged: slice) && !takes(3))
        #expect(way.call(now: now) == [2])
        #expect(takes(2))
        note(2, out: slice)
        #expect(way.call(now: now).isEmpty)
        now = now + .milliseconds(12)
        note(2, acknowledged: slice)
        // One that has left is not waited for, nor one that does not come when it is called.
        way.leave(3)
        #expect(!takes(4))
        #expect(way.call(now: now) == [1])
        #expect(way.call(now: now) == [4])
        #expect(takes(4) && !way.isAwaited)
    }

    @Test mutating func nobodyWaitsLongForWhatIsLost() {
        #expect(takes(1))
        note(1, out: slice)
        #expect(!takes(2))
        now = now + BlobWay.turnTime + .microseconds(1)
        note(1, out: slice)
        #expect(takes(2))
    }

    /// Nor for whoever lets it come byte by byte, also where most do.
    @Test mutating func nobodyWaitsLongForWhatComesByteByByte() {
        note(2, milliseconds: 100)
        note(3)
        #expect(takes(1))
        for byte in 1...3 {
            note(1, out: slice, acknowledged: byte, milliseconds: 100)
            note(2, milliseconds: 100)
            #expect(!takes(3))
            now = now + .milliseconds(200)
        }
        note(1, out: slice, acknowledged: 4, milliseconds: 100)
        note(2, milliseconds: 100)
        #expect(takes(3))
    }

    /// The queue behind one receiver is not the queue that all share.
    @Test mutating func oneSlowWayKeepsNobodyWaiting() {
        for link in 2...4 { note(link) }
        #expect(takes(1))
        note(1, out: slice, milliseconds: 100)
        #expect(!takes(2))
        now = now + BlobWay.turnTime + .microseconds(1)
        for link in 2...4 { note(link, acknowledged: slice) }
        note(1, out: slice, acknowledged: slice, milliseconds: 100)
        #expect(takes(2, acknowledged: slice))
        note(2, out: slice, acknowledged: slice)
        // It goes on by itself, a slice at a time.
        #expect(!takes(1, out: slice, acknowledged: slice, milliseconds: 100))
        #expect(takes(1, acknowledged: 2 * slice, milliseconds: 100))
    }

    /// Slices that are given count before the system is asked again.
    @Test mutating func manyWhoAskAtOnceGoOneByOne() {
        for link in 1...7 { note(link) }
        #expect((1...7).filter { way.acquireTurn(for: $0, bytes: slice, now: now) } == [1])
    }

    /// What one link has acknowledged meanwhile, or long ago, says nothing of another's slice.
    @Test mutating func aRoundIsOfOneLink() {
        #expect(takes(1))
        note(2, acknowledged: 100 * slice)
        note(2, acknowledged: 200 * slice)
        note(1, out: slice)
        #expect(!takes(2, acknowledged: 200 * slice))
        now = now + .milliseconds(12)
        note(1, acknowledged: slice)
        #expect(way.call(now: now) == [2])
        #expect(takes(2, acknowledged: 200 * slice))
        #expect(!takes(1, acknowledged: slice))
    }

    /// A way that is long, and wide, is used too; once in a while it gets too much, since it answers late.
    @Test(arguments: [(1, 100, 50), (4, 50, 20)])
    func theWindowGrowsAsTheWayIsLong(links: Int, megabits: Int, milliseconds: Int) {
        var way = Bottleneck(links: links, bytesPerSecond: megabits * 125_000, base: .milliseconds(milliseconds))
        way.run(.seconds(4))
        #expect(way.sentBytes > megabits * 125_000 * 4 * 50 / 100)
        #expect(way.wait(percent: 90) < .milliseconds(20))
    }

    @Test(arguments: [(1, 20), (8, 20), (16, 20), (1, 1), (4, 100)])
    func messagesWaitLittleAndTheWayIsUsed(links: Int, megabits: Int) {
        var way = Bottleneck(links: links, bytesPerSecond: megabits * 125_000, base: .milliseconds(1))
        way.run(.seconds(10))
        #expect(way.sentBytes > megabits * 125_000 * 10 * 85 / 100)
        // A slice, what is left of the one before, and what a queue may take.
        let slice = (Limits.slicePayloadBytesMax + BlobWay.remainderBytes) * 8 / megabits
        #expect(way.wait(percent: 50) < max(.microseconds(slice), BlobWay.queueDelay))
        #expect(way.wait(percent: 99) < .microseconds(slice) + BlobWay.queueDelay)
        #expect(way.leastOfALink * 8 > way.mostOfALink)
    }
}

/// Where all links of a node meet: what they send waits in one queue, and is acknowledged a while later.
private struct Bottleneck {
    private struct Link {
        var outBytes = 0
        var acknowledgedBytes: UInt64 = 0
        var roundTrip: Duration
    }

    private struct Packet {
        var link: Int
        var bytes: Int
        var sentAt: Instant
    }

    private static let step: Duration = .microseconds(250)
    private static let packetBytes = 1_448
    /// A whole slice, with what goes around it.
    private static let frameBytes = 15_890

    private let bytesPerSecond: Int
    /// A round trip without a queue.
    private let base: Duration
    private var links: [Link]
    private var way = BlobWay()
    private var queue: [Packet] = []
    private var head = 0
    private var queuedBytes = 0
    /// Behind the queue, with the time of the acknowledgement.
    private var acknowledging: [(packet: Packet, at: Instant)] = []
    private var credit = 0
    private var now = Instant(microseconds: 0)
    private(set) var sentBytes = 0
    private var waits: [Duration] = []

    init(links: Int, bytesPerSecond: Int, base: Duration) {
        self.bytesPerSecond = bytesPerSecond
        self.base = base
        self.links = Array(repeating: Link(roundTrip: base), count: links)
    }

    var leastOfALink: UInt64 { links.map(\.acknowledgedBytes).min() ?? 0 }
    var mostOfALink: UInt64 { links.map(\.acknowledgedBytes).max() ?? 0 }

    func wait(percent: Int) -> Duration { waits.sorted()[waits.count * percent / 100] }

    mutating func run(_ time: Duration) {
        let end = now + time
        for link in links.indices { ask(link) }
        while now < end {
            now = now + Self.step
            pass()
            acknowledge()
            if now.microseconds % 1_000 == 0 { look() }
            waits.append(.microseconds(queuedBytes * 1_000_000 / bytesPerSecond))
        }
    }

    /// All have something to send; connections ask by themselves only after a slice.
    private mutating func look() {
        for link in way.underWay { note(link) }
        for link in way.call(now: now) { ask(link) }
    }

    private mutating func ask(_ link: Int) {
        note(link)
        while way.acquireTurn(for: link, bytes: Limits.slicePayloadBytesTarget + 3, now: now) {
            send(link)
            note(link)
        }
    }

    private mutating func note(_ link: Int) {
        way.apply(
            BlobPace.Reading(
                unsentBytes: 0, unacknowledgedBytes: links[link].outBytes,
                acknowledgedBytes: links[link].acknowledgedBytes, roundTrip: links[link].roundTrip,
                leastRoundTrip: base),
            of: link, now: now)
    }

    private mutating func send(_ link: Int) {
        var left = Self.frameBytes
        links[link].outBytes += left
        queuedBytes += left
        while left > 0 {
            queue.append(Packet(link: link, bytes: min(left, Self.packetBytes), sentAt: now))
            left -= min(left, Self.packetBytes)
        }
    }

    private mutating func pass() {
        credit = min(credit + bytesPerSecond / 4_000, queuedBytes)
        while head < queue.count, queue[head].bytes <= credit {
            credit -= queue[head].bytes
            queuedBytes -= queue[head].bytes
            sentBytes += queue[head].bytes
            acknowledging.append((queue[head], now + base))
            head += 1
        }
        if head == queue.count {
            queue = []
            head = 0
        }
    }

    private mutating func acknowledge() {
        let come = acknowledging.prefix { $0.at <= now }
        acknowledging.removeFirst(come.count)
        for first in come {
            let link = first.packet.link
            links[link].outBytes -= first.packet.bytes
            links[link].acknowledgedBytes += UInt64(first.packet.bytes)
            links[link].roundTrip += (now - first.packet.sentAt - links[link].roundTrip) / 8
        }
    }
}
