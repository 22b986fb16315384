import Testing
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// Goal: a device whose clock is unset writes with the right time once it has neighbours, and one liar changes nothing.
/// Method: the test plays the neighbours of one machine, whose rows show their clocks.
@Suite struct TourTimeTests {
    private static let hours: Duration = .seconds(3_600)
    private let tour: MemoryTour
    private let links: [LinkID]

    init() throws {
        let tour = try MemoryTour(MemoryTour.Setup(members: 5))
        self.tour = tour
        links = (1...4).map { tour.link(0, toward: $0) }
    }

    private var right: Int64 { Int64(tour.rightCounter / 1_000) }
    private var wall: Int64 { tour.devices[0].machine.wallMilliseconds(at: tour.reading(0)) }

    /// A neighbour's row shows its clock.
    private func show(_ neighbour: Int, off offset: Duration = .zero) {
        let counter = Int64(tour.rightCounter) + offset.microseconds
        tour.feed(0, .rows([tour.row(of: neighbour, counter: UInt64(counter))]), on: links[neighbour - 1])
    }

    /// As a machine without a battery starts: in 1970.
    private func unset() { tour.setClock(0, off: .milliseconds(-MemoryTour.startMilliseconds)) }

    @Test func anUnsetClockFollowsTheMedianOfThreeNeighbours() {
        unset()
        #expect(wall == NodeTime.builtAt)
        show(1)
        show(2, off: Self.hours)
        #expect(wall == NodeTime.builtAt, "two are not enough")
        show(3, off: Self.hours * 24 * 3_000)
        #expect(wall == right + 3_600_000, "a liar is not the median")
        show(4, off: .seconds(-10))
        #expect(wall == right)
        tour.advance(by: .seconds(100))
        #expect(wall == right, "their clocks go on")
    }

    @Test func aClockThatIsSetFollowsNobody() {
        for neighbour in 1...4 { show(neighbour, off: Self.hours * 20) }
        #expect(wall == tour.reading(0).wallMilliseconds)
    }

    @Test func aNeighbourCountsWhileItIsLinked() {
        unset()
        for neighbour in 1...3 { show(neighbour) }
        #expect(wall == right)
        tour.feed(0, .linkClosed(links[0]))
        #expect(wall == NodeTime.builtAt)
    }

    @Test func ourEventsAreDatedByThatTime() throws {
        unset()
        for neighbour in 1...3 { show(neighbour) }
        // The tour's first events are not older: only the log's own clock would be as late.
        tour.advance(by: Self.hours / 60)
        let event = try tour.write(0, text: "now")
        #expect(event.header.clock.milliseconds == right)
    }

    @Test func anEventIsRecentByOurClockOrItsAuthors() {
        let time = { [tour] in tour.reading(0) }
        let machine = { [tour] in tour.devices[0].machine }
        let author = tour.devices[1].id
        let (now, week) = (LogicalClock(milliseconds: right), LogicalClock(milliseconds: right + 7 * 86_400_000))
        #expect(machine().isRecent(now, of: author, at: time()))
        #expect(!machine().isRecent(week, of: author, at: time()))
        show(1, off: Self.hours * 24 * 7)
        #expect(machine().isRecent(week, of: author, at: time()), "its author's clock is a week ahead, like its rows")
        #expect(!machine().isRecent(week, of: tour.devices[2].id, at: time()))
        #expect(machine().isRecent(week, of: tour.devices[2].id, isAlarm: true, at: time()), "no alarm may be missed")
        let yesterday = LogicalClock(milliseconds: right - 86_400_000)
        #expect(!machine().isRecent(yesterday, of: tour.devices[2].id, isAlarm: true, at: time()))
    }
}
