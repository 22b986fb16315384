import Testing
import TourGossip
import TourModel
import TourRuntime

/// Goal: who is in reach, and when somebody was there last, is the same whoever passes it on.
/// Method: three devices in memory; links open and close, and minutes pass between.
@Suite struct MeetingTests {
    /// Longer than a sign of life lasts.
    private static let absence: Duration = .seconds(60)

    private func isReachable(_ member: Int, for device: Int, in tour: MemoryTour) -> Bool {
        tour.devices[device].machine.isReachable(tour.devices[member].id, now: tour.now)
    }

    private func seenAt(_ member: Int, by device: Int, in tour: MemoryTour) -> Int64? {
        let signs = tour.devices[device].machine.presence.signs
        return signs.seenAt(tour.devices[member].id, now: tour.now, wall: tour.reading(device).wallMicroseconds)
    }

    @Test func aMemberTwoLinksAwayIsInReach() throws {
        let tour = try MemoryTour()
        tour.connect(0, 1)
        tour.connect(1, 2)
        tour.advance(by: Self.absence)
        #expect(isReachable(2, for: 0, in: tour))
        #expect(tour.devices[0].machine.presence.signs.hops(tour.devices[2].id) == 2)
    }

    @Test func aMemberWhoseLinkIsLostIsOutOfReachAWhileLater() throws {
        let tour = try MemoryTour()
        tour.connect(0, 1)
        let link = tour.connect(1, 2)
        tour.advance(by: Self.absence)
        tour.disconnect(link)
        tour.advance(by: Self.absence)
        for device in [0, 1] { #expect(!isReachable(2, for: device, in: tour)) }
        #expect(isReachable(1, for: 0, in: tour))
        #expect(seenAt(2, by: 0, in: tour) != nil)
    }

    /// Somebody came and went while this device was off; the one that it meets afterwards passes on what was said.
    @Test func oneThatCameAndWentWhileWeWereOffIsOutOfReach() throws {
        let tour = try MemoryTour()
        let link = tour.connect(1, 2)
        tour.advance(by: Self.absence)
        tour.disconnect(link)
        tour.advance(by: Self.absence)
        let seen = try #require(seenAt(2, by: 1, in: tour))
        tour.connect(0, 1)
        tour.advance(by: .seconds(10))
        #expect(isReachable(1, for: 0, in: tour))
        #expect(!isReachable(2, for: 0, in: tour))
        let told = try #require(seenAt(2, by: 0, in: tour))
        #expect(abs(told - seen) < 15_000_000, "seen at \(seen), passed on as \(told)")
    }

    /// It comes back after that: then it is in reach again, by the other.
    @Test func oneThatComesBackIsInReachAgain() throws {
        let tour = try MemoryTour()
        let link = tour.connect(1, 2)
        tour.advance(by: Self.absence)
        tour.disconnect(link)
        tour.advance(by: Self.absence)
        tour.connect(0, 1)
        tour.advance(by: .seconds(10))
        tour.connect(1, 2)
        tour.advance(by: .seconds(10))
        #expect(isReachable(2, for: 0, in: tour))
    }
}
