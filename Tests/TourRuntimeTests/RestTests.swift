import Testing
import TourGossip
import TourModel
import TourRuntime
import TourWire

/// Goal: who sleeps is shown to sleep until its next row, by its own word alone, and is not taken for lost meanwhile.
/// Method: three devices in memory, of which the last falls asleep; rows that the test signs come from a link.
@Suite struct RestTests {
    private let tour: MemoryTour
    private let sleeper: MemberID
    /// From device 0 to device 1.
    private let link: LinkID

    init() throws {
        let tour = try MemoryTour()
        link = tour.connect(0, 1)
        tour.connect(1, 2)
        tour.advance(by: .seconds(15))
        self.tour = tour
        sleeper = tour.devices[2].id
    }

    private var watcher: TourMachine { tour.devices[0].machine }

    private func rest(_ isAsleep: Bool) {
        tour.feed(2, .replication(.rest(isAsleep: isAsleep)))
        tour.advance(by: .seconds(1))
    }

    private var seenAt: Int64? {
        watcher.presence.signs.seenAt(sleeper, now: tour.now, wall: tour.reading(0).wallMicroseconds)
    }

    @Test func whoSleepsIsNeitherInReachNorPresent() {
        #expect(watcher.isReachable(sleeper, now: tour.now) && !watcher.isAsleep(sleeper))
        rest(true)
        for device in 0...1 {
            let machine = tour.devices[device].machine
            #expect(machine.isAsleep(sleeper), "device \(device)")
            #expect(!machine.isReachable(sleeper, now: tour.now) && !machine.isPresent(sleeper, now: tour.now))
        }
        let fellAsleep = seenAt
        tour.advance(by: .seconds(60))
        #expect(watcher.isAsleep(sleeper) && seenAt == fellAsleep)
    }

    @Test func itsNextRowEndsIt() {
        rest(true)
        tour.advance(by: .seconds(60))
        rest(false)
        #expect(!watcher.isAsleep(sleeper))
        #expect(watcher.isReachable(sleeper, now: tour.now) && watcher.isPresent(sleeper, now: tour.now))
    }

    @Test func anOlderRowDoesNot() {
        let before = tour.rightCounter - 1
        tour.advance(by: .seconds(1))
        rest(true)
        tour.feed(0, .rows([tour.row(of: 2, counter: before)]), on: link)
        tour.advance(by: .seconds(1))
        #expect(watcher.isAsleep(sleeper))
    }

    @Test func aForgedRowNeitherEndsNorBeginsIt() {
        let forgedSleep = tour.row(of: 2, counter: tour.rightCounter + 1, signedBy: 1, isAsleep: true)
        tour.feed(0, .rows([forgedSleep]), on: link)
        #expect(!watcher.isAsleep(sleeper))
        rest(true)
        tour.feed(0, .rows([tour.row(of: 2, counter: tour.rightCounter + 1, signedBy: 1)]), on: link)
        #expect(watcher.isAsleep(sleeper))
    }

    @Test func ourOwnSleepIsNoneToUs() {
        rest(true)
        #expect(!tour.devices[2].machine.isAsleep(sleeper))
        #expect(tour.devices[2].machine.isReachable(sleeper, now: tour.now))
    }
}
