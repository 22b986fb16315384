import Testing
import TourGossip
import TourModel
import TourWire

// Goal: of each member the newest position goes to every neighbour who does not show that it has it, and a member
// that says too much costs itself. Method: one machine, hand-made rows, what it puts out and when.
@Suite struct PositionTests {
    private static let wall: Int64 = 1_767_261_600_000

    /// A row of a writer, so many seconds after the first; nil: it stops.
    private static func row(
        _ writer: Writer, at seconds: Int64, latitude: Int32? = 0, in bench: Bench, hops: Int = 0
    ) throws -> VerifiedPosition {
        let time = wall + seconds * 1_000
        let fix = latitude.flatMap { Coordinate(latitude: $0, longitude: 0) }.flatMap { Fix($0, fixedAt: time) }
        let claim = try #require(
            PositionClaim(
                member: writer.id, counter: UInt64(time) * 1_000, until: wall + 3_600_000, fix: fix))
        let row = ClaimRow(row: claim.encode(), signature: [], hops: hops)
        return VerifiedPosition(claim: claim, row: row, lapsesAt: bench.now + .seconds(3_600 - seconds))
    }

    private static func bench() -> Bench {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        _ = bench.pass(.seconds(1))
        return bench
    }

    @Test func newestIsPassedOnToWhoLacksIt() throws {
        var bench = Self.bench()
        let new = try Self.row(bench.writers[0], at: 10, in: bench)
        let old = try Self.row(bench.writers[0], at: 0, in: bench)
        #expect(bench.take(.positions(.link(bench.link(1)), [new])).positioned == [new.claim])
        #expect(bench.take(.positions(.link(bench.link(1)), [old, new])).positioned.isEmpty)
        // Not to where it came from, and not to the member itself.
        #expect(bench.pass(.seconds(10)).positionsSent.map(\.0) == [bench.link(2)])
        #expect(bench.take(.message(bench.link(1), .positions([new.row]))).isEmpty)
        // Whoever says an older one lacks the newer.
        let told = bench.take(.message(bench.link(2), .positions([old.row]))) + bench.pass(.seconds(1))
        #expect(told.positionsSent.map(\.0) == [bench.link(2)])
        #expect(told.positionsSent.map(\.1) == [[new.row]])
    }

    @Test func offTheTreeTheOtherSideMaySayItFirst() throws {
        var bench = Self.bench()
        for number in 1...2 { _ = bench.take(.message(bench.link(number), .prune)) }
        let new = try Self.row(bench.writers[0], at: 10, in: bench)
        _ = bench.take(.positions(.link(bench.link(0)), [new]))
        #expect(bench.pass(.milliseconds(1_900)).positionsSent.isEmpty)
        _ = bench.take(.message(bench.link(1), .positions([new.row])))
        #expect(bench.pass(.seconds(10)).positionsSent.map(\.0) == [bench.link(2)])
    }

    @Test func ourOwnGoesAtOnceAndANewNeighbourGetsAll() throws {
        var bench = Self.bench()
        let own = try Self.row(Writer(1), at: 0, in: bench)
        let sent = (bench.take(.position(own)) + bench.pass(.milliseconds(1))).positionsSent
        #expect(sent.map(\.0) == (0..<3).map(bench.link))
        _ = bench.take(.positions(.link(bench.link(1)), [try Self.row(bench.writers[1], at: 0, in: bench)]))
        _ = bench.pass(.seconds(10))
        _ = bench.take(.linkDown(bench.link(0)))
        bench.open(0)
        let told = bench.pass(.seconds(10)).positionsSent.filter { $0.0 == bench.link(0) }
        #expect(told.flatMap(\.1).count == 2)
    }

    @Test func whatHasEndedIsForgotten() throws {
        var bench = Self.bench()
        _ = bench.take(.positions(.link(bench.link(1)), [try Self.row(bench.writers[0], at: 0, in: bench)]))
        #expect(bench.machine.sharedPositions(bench.now).count == 1)
        #expect(bench.machine.sharedPositions(bench.now + .seconds(3_600)).isEmpty)
        _ = bench.pass(.seconds(3_600))
        #expect(bench.take(.positions(.link(bench.link(1)), [])).isEmpty)
        #expect(bench.machine.size.claims == 0)
    }

    @Test func whoStopsIsKnownToHaveStopped() throws {
        var bench = Self.bench()
        let stop = try Self.row(bench.writers[0], at: 20, latitude: nil, in: bench)
        let before = try Self.row(bench.writers[0], at: 10, in: bench)
        _ = bench.take(.positions(.link(bench.link(1)), [stop]))
        #expect(bench.take(.positions(.link(bench.link(1)), [before])).positioned.isEmpty)
        #expect(bench.machine.sharedPositions(bench.now).map(\.claim.fix) == [nil])
    }

    @Test func whoIsOutIsForgottenAndNotHeard() throws {
        var bench = Self.bench()
        let position = try Self.row(bench.writers[0], at: 0, in: bench)
        _ = bench.take(.positions(.link(bench.link(1)), [position]))
        let members = [bench.own] + bench.writers.map(\.id)
        _ = bench.take(.authors(members, leaders: [], ends: [bench.writers[0].id: 0]))
        #expect(bench.machine.sharedPositions(bench.now).isEmpty)
        let later = try Self.row(bench.writers[0], at: 10, in: bench)
        #expect(bench.take(.message(bench.link(1), .positions([later.row]))).positionsChecked.isEmpty)
        #expect(bench.take(.positions(.link(bench.link(1)), [later])).positioned.isEmpty)
    }

    @Test func whoSaysTooMuchCostsItself() throws {
        var bench = Self.bench()
        var checks = 0, passedOn = 0
        for second in 0..<600 {
            let rows = try (0..<5).map {
                try Self.row(bench.writers[0], at: Int64(second), latitude: Int32($0), in: bench).row
            }
            for row in rows {
                let outputs = bench.take(.message(bench.link(0), .positions([row])))
                checks += outputs.positionsChecked.count
                for heard in outputs.positionsChecked {
                    _ = bench.take(
                        .positions(.link(bench.link(0)), [heard.verified(lapsesAt: bench.now + .seconds(60))]))
                }
            }
            passedOn += bench.pass(.seconds(1)).positionsSent.count
        }
        // Sixteen at once and 3.2 a second are checked of one link; to each of two others one goes every five seconds.
        #expect((100...2_000).contains(checks), "\(checks)")
        #expect((100...260).contains(passedOn), "\(passedOn)")
    }

    @Test func forgersAreHeardNoMore() throws {
        var bench = Self.bench()
        let bad = ClaimRow(row: [1, 2, 3], signature: [], hops: 0)
        _ = bench.take(.message(bench.link(0), .positions(Array(repeating: bad, count: 8))))
        let row = try Self.row(bench.writers[1], at: 1, in: bench).row
        #expect(bench.take(.message(bench.link(0), .positions([row]))).isEmpty)
        #expect(bench.take(.message(bench.link(1), .positions([row]))).positionsChecked.count == 1)
    }
}

extension [GossipMachine.Output] {
    fileprivate var positioned: [PositionClaim] {
        compactMap { if case .positioned(let position) = $0 { position.claim } else { nil } }
    }

    fileprivate var positionsChecked: [HeardPosition] {
        flatMap { output -> [HeardPosition] in
            if case .verifyPositions(_, let heard) = output { heard } else { [] }
        }
    }

    fileprivate var positionsSent: [(LinkID, [ClaimRow])] {
        compactMap { if case .send(let link, .positions(let rows)) = $0 { (link, rows) } else { nil } }
    }
}
