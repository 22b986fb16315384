import Testing
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourNode
import TourPosition
import TourWire

/// Goal: a position goes out only while it is shared and only with rows that end with the sharing, and the receiver is
/// read only while somebody needs it. Method: one tour's sharing with a host in memory.
struct TourSharingTests {
    private let host = MemoryPlacesHost()
    private let position = OwnPosition()
    private let sharing = TourSharing(tour: TourID(raw: Bytes32([UInt8](repeating: 9, count: 32))!))

    private var wall: Int64 { host.wallMicroseconds / 1_000 }

    private func fix(metres: Double) throws -> Fix {
        let place = try #require(Coordinate(degreesNorth: metres / 111_195, degreesEast: 0))
        return try #require(Fix(place, fixedAt: 1))
    }

    private func receive(metres: Double) throws {
        position.receive(.fix(try fix(metres: metres)), for: [sharing], host)
    }

    @Test func aPositionGoesOutOnlyWhileItIsShared() throws {
        try receive(metres: 0)
        #expect(host.published.isEmpty)
        let until = wall + 60_000
        try sharing.begin(until: until, host)
        try receive(metres: 0)
        try receive(metres: 100)
        #expect(host.published.map(\.claim.until) == [until] && host.published[0].claim.fix != nil)
        host.pass(.seconds(20))
        try receive(metres: 200)
        #expect(host.published.count == 2)
        #expect(host.published[1].claim.counter > host.published[0].claim.counter)
        #expect(host.published[1].lapsesAt == host.now + .seconds(40))
        host.pass(.seconds(40))
        try receive(metres: 300)
        #expect(host.published.count == 2 && sharing.current(wallMilliseconds: wall) == nil)
        // Its rows have ended by themselves.
        #expect(sharing.tick(host) && !sharing.isSharing && host.published.count == 2 && host.settings.isEmpty)
        #expect(!sharing.tick(host))
    }

    @Test func anEarlyEndWithdrawsThePosition() throws {
        try sharing.begin(until: wall + 60_000, host)
        try receive(metres: 0)
        #expect(try sharing.end(host))
        #expect(host.published.count == 2 && host.published[1].claim.fix == nil)
        #expect(try !sharing.end(host))
    }

    @Test func aTourThatIsOverEndsTheSharing() throws {
        try sharing.begin(until: wall + 60_000, host)
        host.isActive = false
        try receive(metres: 0)
        #expect(host.published.isEmpty)
        #expect(sharing.tick(host) && !sharing.isSharing)
    }

    @Test func aSharingSurvivesARestart() throws {
        let until = wall + 60_000
        try sharing.begin(until: until, host)
        let again = TourSharing(tour: TourID(raw: Bytes32([UInt8](repeating: 9, count: 32))!))
        again.resume(host)
        #expect(again.current(wallMilliseconds: wall)?.until == until)
        host.pass(.seconds(60))
        let late = TourSharing(tour: TourID(raw: Bytes32([UInt8](repeating: 9, count: 32))!))
        late.resume(host)
        #expect(!late.isSharing)
    }

    /// The clock was set back since.
    @Test func ourRowsGoOnAfterThoseOfAnEarlierLife() throws {
        let counter = UInt64(host.wallMicroseconds) + 1_000_000
        let earlier = try #require(
            PositionClaim(member: host.keys.memberID, counter: counter, until: wall + 1, fix: try fix(metres: 0)))
        sharing.record(earlier, own: host.keys.memberID)
        try sharing.begin(until: wall + 60_000, host)
        try receive(metres: 0)
        #expect(host.published.map(\.claim.counter) == [counter + 1])
    }

    @Test func whatCannotBeStoredIsNotShared() {
        host.isFull = true
        #expect(throws: (any Error).self) { try sharing.begin(until: wall + 60_000, host) }
        #expect(!sharing.isSharing)
    }

    @Test func theReceiverIsReadWhileSomethingIsShared() throws {
        position.watch(for: [sharing], host)
        #expect(host.readings == 0 && position.wantsReading(host))
        try sharing.begin(until: wall + 60_000, host)
        position.watch(for: [sharing], host)
        position.watch(for: [sharing], host)
        #expect(host.readings == 1 && !position.wantsReading(host))
        try receive(metres: 0)
        #expect(position.fix(host.now) != nil)
        _ = try sharing.end(host)
        position.watch(for: [sharing], host)
        #expect(position.fix(host.now) == nil && position.wantsReading(host))
    }

    @Test func aRequestAsksTheReceiverNowAndThen() throws {
        position.record(.nothing(.noFix), host)
        #expect(position.fault == .noFix && !position.wantsReading(host))
        host.pass(.seconds(10))
        #expect(position.wantsReading(host))
        host.isOnline = false
        #expect(!position.wantsReading(host))
    }
}
