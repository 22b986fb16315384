import Testing
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// Goal: rows cost little and nobody can make them cost much; whoever is missed is noticed at once; a second device
/// with our key is noticed, and an earlier life of ours is not taken for one. Method: the test signs rows with the
/// members' keys, and hands them to one machine by datagram or link.
@Suite struct RowCheckTests {
    private static let segment = SegmentID(value: 1)
    /// Longer than any row waits.
    private static let gathering: Duration = .milliseconds(500)

    /// Device 1 on a segment with everybody, linked to all but device 0, whom it has not heard yet.
    private let tour: MemoryTour
    private let links: [LinkID]

    init() throws {
        let tour = try MemoryTour(MemoryTour.Setup(members: 5))
        self.tour = tour
        tour.feed(1, .replication(.segments([Self.segment])))
        links = (2...4).map { tour.link(1, toward: $0) }
    }

    private func receive(_ rows: [ClaimRow], from sender: Int, counter: UInt64 = 1) -> [TourEffect] {
        var datagram = Datagram(sender: tour.devices[sender].id.prefix, counter: counter)
        datagram.rows = rows
        return tour.feed(1, .replication(.datagram(Self.segment, datagram)))
    }

    private func checks(after start: Int) -> [ClaimCheck] { Array(tour.devices[1].effects[start...]).claimChecks }

    @Test func rowsByDatagramWaitForEachOtherAndAreVerifiedTogether() {
        let start = tour.devices[1].effects.count
        _ = receive([tour.row(of: 2, counter: tour.rightCounter)], from: 2)
        tour.advance(by: .milliseconds(90))
        _ = receive([tour.row(of: 3, counter: tour.rightCounter)], from: 3)
        _ = receive([tour.row(of: 4, counter: tour.rightCounter)], from: 4)
        #expect(checks(after: start).isEmpty)
        tour.advance(by: Self.gathering)
        let checks = checks(after: start)
        #expect(checks.map { Set($0.claims.map(\.heard.claim.member)) } == [Set((2...4).map { tour.devices[$0].id })])
        #expect(tour.count("claimed", 1) == 3)
    }

    @Test func aRowOnALinkIsVerifiedAtOnce() {
        let effects = tour.feed(1, .rows([tour.row(of: 3, counter: tour.rightCounter)]), on: links[0])
        #expect(effects.claimChecks.count == 1)
    }

    @Test func theRowOfAnAbsentMemberAndOfTheRootIsVerifiedAtOnce() {
        let first = receive([tour.row(of: 0, counter: tour.rightCounter)], from: 2)
        #expect(first.claimChecks.map { $0.claims.map(\.heard.claim.member) } == [[tour.devices[0].id]])
        #expect(tour.devices[1].machine.isReachable(tour.devices[0].id, now: tour.now))
        tour.advance(by: .seconds(1))
        #expect(tour.devices[1].machine.gossip.root == tour.devices[0].id)
        let second = receive([tour.row(of: 0, counter: tour.rightCounter)], from: 2, counter: 2)
        #expect(second.claimChecks.count == 1, "it is the root now")
    }

    @Test func aDatagramsRowsAreDroppedWithoutRoomAndALinksAreNot() throws {
        tour.hold("verify")
        let events = try tour.texts(600, of: 2)
        for start in stride(from: 0, to: 600, by: 200) {
            tour.feed(1, .run(Run(Array(events[start..<start + 200]), hops: 0, pushed: false)), on: links[0])
        }
        let start = tour.devices[1].effects.count
        let row = tour.row(of: 3, counter: tour.rightCounter)
        _ = receive([row, tour.row(of: 0, counter: tour.rightCounter)], from: 2)
        tour.advance(by: Self.gathering)
        #expect(checks(after: start).isEmpty)
        #expect(tour.feed(1, .rows([row]), on: links[0]).claimChecks.count == 1)
    }

    @Test func forgedRowsAreCountedAndDropOutAlone() {
        let rows = [
            tour.row(of: 2, counter: tour.rightCounter, signedBy: 3), tour.row(of: 3, counter: tour.rightCounter),
            tour.row(of: 4, counter: tour.rightCounter, signedBy: 3),
        ]
        let effects = tour.feed(1, .rows(rows), on: links[1])
        #expect(effects.count("fault") == 2)
        let claimed = effects.compactMap { if case .claimed(let claim) = $0 { claim.claim.member } else { nil } }
        #expect(claimed == [tour.devices[3].id])
        #expect(!tour.devices[1].machine.isBusy)
    }

    @Test func manyRowsWaitAtMostUntilTheirListIsFull() {
        let start = tour.devices[1].effects.count
        for counter in 1...UInt64(GatheredClaims.rowsMax) {
            let member = 2 + Int(counter % 3)
            _ = receive([tour.row(of: member, counter: tour.rightCounter + counter)], from: 2, counter: counter)
        }
        #expect(checks(after: start).count == 1)
        #expect(checks(after: start).first?.claims.count == GatheredClaims.rowsMax)
    }

    // MARK: - A second device with our key

    /// A row of ours that we did not sign.
    private func receiveRowOfTwin() {
        let counter = max(tour.devices[1].machine.claimCounter, tour.rightCounter) + 1
        tour.feed(1, .rows([tour.row(of: 1, counter: counter)]), on: links[0])
    }

    @Test func aTwinIsNoticedOnlyWhenSignsContinueFor15Seconds() {
        receiveRowOfTwin()
        tour.advance(by: .milliseconds(14_900))
        receiveRowOfTwin()
        #expect(tour.count("twin", 1) == 0)
        tour.advance(by: .milliseconds(100))
        receiveRowOfTwin()
        #expect(tour.count("twin", 1) == 1)
        #expect(tour.devices[1].machine.twinSeenAt == tour.now)
        tour.advance(by: .seconds(20))
        receiveRowOfTwin()
        #expect(tour.count("twin", 1) == 1, "it is reported once")
        #expect(tour.devices[1].machine.twinSeenAt == tour.now)
    }

    @Test func signsFarApartAreNoTwin() {
        for _ in 0..<3 {
            receiveRowOfTwin()
            tour.advance(by: .seconds(181))
        }
        #expect(tour.count("twin", 1) == 0)
    }

    @Test func rowsThatWeDidNotSignAreSignsAndThoseOfAnEarlierLifeAreNot() {
        let started = UInt64(MemoryTour.startMilliseconds * 1_000)
        for second in 0..<4 {
            tour.feed(1, .rows([tour.row(of: 1, counter: started - 10 + UInt64(second))]), on: links[0])
            tour.advance(by: .seconds(8))
        }
        #expect(tour.count("twin", 1) == 0)
        for _ in 0..<4 {
            tour.feed(1, .rows([tour.row(of: 1, counter: tour.rightCounter + 60_000_000)]), on: links[0])
            tour.advance(by: .seconds(8))
        }
        #expect(tour.count("twin", 1) == 1)
        #expect(tour.devices[1].machine.claimCounter >= tour.rightCounter, "ours come after those rows")
    }

    /// Two copies that run beside each other sign in turn: what the other one said last is seldom the newest.
    @Test func aTwinsRowIsASignThoughOursIsNewer() {
        tour.advance(by: .seconds(15))
        for _ in 0..<3 {
            let counter = tour.rightCounter
            tour.advance(by: .seconds(15))
            #expect(tour.devices[1].machine.claimCounter > counter)
            tour.feed(1, .rows([tour.row(of: 1, counter: counter)]), on: links[0])
        }
        #expect(tour.count("twin", 1) == 1)
    }

    @Test func rowsOfOursThatComeBackAreNoSigns() {
        for _ in 0..<4 {
            tour.advance(by: .seconds(15))
            let sent = tour.devices[1].effects.flatMap { effect -> [ClaimRow] in
                if case .send(_, .rows(let rows)) = effect { rows } else { [] }
            }
            #expect(!sent.isEmpty)
            tour.feed(1, .rows(sent), on: links[1])
        }
        #expect(tour.count("twin", 1) == 0)
    }

    // MARK: - Positions

    private func position(signed offset: Duration, until: Duration) throws -> ClaimRow {
        let counter = UInt64(Int64(tour.rightCounter) + offset.microseconds)
        let end = MemoryTour.startMilliseconds + until.microseconds / 1_000
        let claim = try #require(
            PositionClaim(member: tour.devices[2].id, counter: counter, until: end, fix: nil))
        let row = claim.encode()
        let digest = PositionRow.digest(row, of: claim.member, tour: tour.tour)
        return ClaimRow(row: row, signature: tour.devices[2].keys.identity.sign(digest), hops: 0)
    }

    @Test func positionsDatedAheadOrOverAreDropped() throws {
        let minute: Duration = .seconds(60)
        tour.advance(by: .seconds(20))
        let ahead = tour.feed(1, .positions([try position(signed: minute * 6, until: minute * 60)]), on: links[0])
        let over = tour.feed(1, .positions([try position(signed: .seconds(-10), until: .seconds(19))]), on: links[0])
        #expect([ahead, over].map { $0.count("verifyPositions") } == [1, 1])
        #expect([ahead, over].map { $0.count("positioned") } == [0, 0])
        #expect(!tour.devices[1].machine.isBusy)
        let sound = tour.feed(1, .positions([try position(signed: minute * 4, until: minute * 60)]), on: links[0])
        let lapses = sound.compactMap { if case .positioned(let position) = $0 { position.lapsesAt } else { nil } }
        let due = tour.now + minute * 59 + .seconds(40)
        #expect(lapses == [due])
    }

    @Test func aForgedPositionIsAFault() throws {
        var row = try position(signed: .zero, until: .seconds(600))
        row.signature = tour.devices[3].keys.identity.sign([1])
        let effects = tour.feed(1, .positions([row]), on: links[0])
        #expect(effects.count("fault") == 1)
        #expect(effects.count("positioned") == 0)
        #expect(!tour.devices[1].machine.isBusy)
    }
}
