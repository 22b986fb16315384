import Testing
import TourLink
import TourModel

// Goal: files use a way up and leave its queues short, on one link and on many, so that messages do not wait.
// Method: readings by hand; then one bottleneck with a queue without end, in steps of a quarter of a millisecond, which
// as many links share as a node has.
@Suite struct BlobPaceTests {
    private func reading(
        unsent: Int = 0, out: Int = 0, acknowledged: UInt64 = 0, milliseconds: Int = 5
    ) -> BlobPace.Reading {
        BlobPace.Reading(
            unsentBytes: unsent, unacknowledgedBytes: out, acknowledgedBytes: acknowledged,
            roundTrip: .milliseconds(milliseconds), leastRoundTrip: .milliseconds(5))
    }

    @Test func theFirstSliceIsAlone() {
        var pace = BlobPace()
        #expect(pace.judge(reading()) == .goes)
        #expect(pace.judge(reading(out: 1)) == .waits)
        #expect(pace.judge(reading(unsent: 1)) == .waits)
        #expect(pace.judge(reading()) == .goes)
    }

    @Test func theWindowGrowsWithWhatIsAcknowledged() {
        var pace = BlobPace()
        #expect(pace.judge(reading(out: 16_384, acknowledged: 16_384)) == .goes)
        #expect(pace.judge(reading(out: 32_768, acknowledged: 32_768)) == .goes)
        #expect(pace.judge(reading(out: 49_152, acknowledged: 32_768)) == .waits)
        // What was counted once is not counted again, and more than the bound is never out.
        #expect(pace.judge(reading(out: Limits.blobWindowBytesMax - 16_384, acknowledged: 1 << 40)) == .goes)
        #expect(pace.judge(reading(out: Limits.blobWindowBytesMax, acknowledged: 1 << 41)) == .waits)
    }

    @Test func whatTheSystemHasNotSentYetIsWaitedFor() {
        var pace = BlobPace()
        #expect(pace.judge(reading(unsent: Limits.blobUnsentBytes - 1, acknowledged: 1_000_000)) == .goes)
        #expect(pace.judge(reading(unsent: Limits.blobUnsentBytes, acknowledged: 1_000_000)) == .waits)
    }

    @Test func aQueueOnTheWayEndsTheWindow() {
        var pace = BlobPace()
        #expect(pace.judge(reading(out: 100_000, acknowledged: 1_000_000)) == .goes)
        #expect(pace.judge(reading(out: 1, acknowledged: 1_000_000, milliseconds: 21)) == .waits)
        #expect(pace.judge(reading(acknowledged: 1_000_000, milliseconds: 21)) == .takesTurns)
        #expect(pace.judge(reading(out: 1, acknowledged: 1_000_000, milliseconds: 20)) == .waits)
    }

    /// Up to half of what was too much it doubles again, then it feels its way.
    @Test func theWindowThatWasTooLargeIsComeToSlowly() {
        var pace = BlobPace()
        let slice = Limits.slicePayloadBytesMax
        var acknowledged = UInt64(7 * slice)
        #expect(pace.judge(reading(acknowledged: acknowledged)) == .goes)
        #expect(pace.judge(reading(acknowledged: acknowledged, milliseconds: 21)) == .takesTurns)
        acknowledged += UInt64(3 * slice)
        #expect(pace.judge(reading(out: 3 * slice, acknowledged: acknowledged)) == .goes)
        acknowledged += UInt64(4 * slice)
        #expect(pace.judge(reading(out: 5 * slice, acknowledged: acknowledged)) == .waits)
        #expect(pace.judge(reading(out: 4 * slice, acknowledged: acknowledged)) == .goes)
    }

    @Test func oneLinkAfterTheOther() {
        var turns = BlobTurns<Int>()
        var now = Instant(microseconds: 0)
        func takes(_ link: Int) -> Bool { turns.takes(link, now: now) }
        #expect(takes(1))
        #expect(!takes(2) && !takes(3))
        // Its slice came through: the next in the line.
        #expect(!takes(1))
        #expect(!takes(3) && takes(2))
        turns.leave(2)
        #expect(takes(3))
        // Nobody waits for one whose slice is lost, or that asks no more.
        now = now + Limits.blobTurnTime + .microseconds(1)
        #expect(takes(2))
        turns.leave(2)
        #expect(takes(1))
        #expect(!takes(2) && !takes(3))
        turns.leave(1)
        now = now + Limits.blobTurnPatience + .microseconds(1)
        #expect(takes(3))
    }

    @Test(arguments: [(1, 20), (8, 20), (16, 20), (1, 1), (4, 100)])
    func messagesWaitLittleAndTheWayIsUsed(links: Int, megabits: Int) {
        var way = Bottleneck(links: links, bytesPerSecond: megabits * 125_000)
        way.run(.seconds(10))
        #expect(way.sentBytes > megabits * 125_000 * 10 * 85 / 100)
        // The slices of one moment in which no link sees the others' yet, and little more.
        let slice = Duration.microseconds(16_384 * 8 / megabits)
        #expect(way.wait(percent: 50) < slice + Limits.blobQueueDelay)
        #expect(way.wait(percent: 99) < slice * (links / 2) + .milliseconds(megabits == 1 ? 140 : 30))
        #expect(way.leastOfALink * 8 > way.mostOfALink)
    }
}

/// Where all links of a node meet: what they send waits in one queue, and is acknowledged a millisecond later.
private struct Bottleneck {
    private struct Link {
        var pace = BlobPace()
        var outBytes = 0
        var acknowledgedBytes: UInt64 = 0
        var roundTrip: Duration = .milliseconds(1)
    }

    private struct Packet {
        var link: Int
        var bytes: Int
        var sentAt: Instant
    }

    private static let step: Duration = .microseconds(250)
    private static let base: Duration = .milliseconds(1)
    private static let packetBytes = 1_448

    private let bytesPerSecond: Int
    private var links: [Link]
    private var turns = BlobTurns<Int>()
    private var queue: [Packet] = []
    private var head = 0
    private var queuedBytes = 0
    /// Behind the queue, with the time of the acknowledgement.
    private var acknowledging: [(packet: Packet, at: Instant)] = []
    private var credit = 0
    private var now = Instant(microseconds: 0)
    private(set) var sentBytes = 0
    private var waits: [Duration] = []

    init(links: Int, bytesPerSecond: Int) {
        self.bytesPerSecond = bytesPerSecond
        self.links = Array(repeating: Link(), count: links)
    }

    var leastOfALink: UInt64 { links.map(\.acknowledgedBytes).min() ?? 0 }
    var mostOfALink: UInt64 { links.map(\.acknowledgedBytes).max() ?? 0 }

    func wait(percent: Int) -> Duration { waits.sorted()[waits.count * percent / 100] }

    mutating func run(_ time: Duration) {
        let end = now + time
        while now < end {
            now = now + Self.step
            pass()
            acknowledge()
            // Connections are looked at every two milliseconds, not all in one step.
            for link in links.indices where (Int(now.microseconds / 250) + link) % 8 == 0 { look(link) }
            waits.append(.microseconds(queuedBytes * 1_000_000 / bytesPerSecond))
        }
    }

    private mutating func look(_ link: Int) {
        while true {
            let verdict = links[link].pace.judge(
                BlobPace.Reading(
                    unsentBytes: 0, unacknowledgedBytes: links[link].outBytes,
                    acknowledgedBytes: links[link].acknowledgedBytes, roundTrip: links[link].roundTrip,
                    leastRoundTrip: Self.base))
            switch verdict {
            case .goes: turns.leave(link)
            case .waits: return
            case .takesTurns: guard turns.takes(link, now: now) else { return }
            }
            var left = Limits.slicePayloadBytesMax
            links[link].outBytes += left
            queuedBytes += left
            while left > 0 {
                queue.append(Packet(link: link, bytes: min(left, Self.packetBytes), sentAt: now))
                left -= min(left, Self.packetBytes)
            }
        }
    }

    private mutating func pass() {
        credit = min(credit + bytesPerSecond / 4_000, queuedBytes)
        while head < queue.count, queue[head].bytes <= credit {
            credit -= queue[head].bytes
            queuedBytes -= queue[head].bytes
            sentBytes += queue[head].bytes
            acknowledging.append((queue[head], now + Self.base))
            head += 1
        }
        if head == queue.count {
            queue = []
            head = 0
        }
    }

    private mutating func acknowledge() {
        while let first = acknowledging.first, first.at <= now {
            acknowledging.removeFirst()
            let link = first.packet.link
            links[link].outBytes -= first.packet.bytes
            links[link].acknowledgedBytes += UInt64(first.packet.bytes)
            links[link].roundTrip += (now - first.packet.sentAt - links[link].roundTrip) / 8
        }
    }
}
