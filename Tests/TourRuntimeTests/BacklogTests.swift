import Testing
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// Goal: however fast peers send, memory stays bounded, and reading goes on once the verifier and the store have caught
/// up. Method: the test is the verifier and the store of one machine, and answers late, with a failure, or not.
@Suite struct BacklogTests {
    private static let runLength = 200
    /// So many runs exceed the bound; half of them and one more do not exceed half of it.
    private static let runCount = Limits.unstoredEventsMax / runLength + 1

    /// One machine with links to two members, and runs of the first.
    private struct Flood {
        let tour: MemoryTour
        let links: [LinkID]
        let runs: [Run]

        init(runs count: Int = BacklogTests.runCount) throws {
            tour = try MemoryTour()
            let tour = tour
            let events = try tour.texts(count * BacklogTests.runLength, of: 1)
            runs = stride(from: 0, to: events.count, by: BacklogTests.runLength).map {
                Run(Array(events[$0..<$0 + BacklogTests.runLength]), hops: 0, pushed: false)
            }
            links = [1, 2].map { tour.link(0, toward: $0) }
            tour.hold("verify", "store", "reload")
        }

        var effects: [TourEffect] { tour.devices[0].effects }

        func receiveAll() { for run in runs { tour.feed(0, .run(run), on: links[0]) } }

        func verifyAll() -> [TourEffect] {
            let before = effects.count
            for check in effects.runChecks { tour.feed(0, .checked(check, check.verified())) }
            return Array(effects[before...])
        }
    }

    @Test func linksAreNotReadWhileTooMuchWaitsAndAreAgainAtHalf() throws {
        let flood = try Flood()
        let tour = flood.tour
        for run in flood.runs.dropLast() {
            #expect(tour.feed(0, .run(run), on: flood.links[0]).readings.isEmpty)
        }
        #expect(!tour.devices[0].machine.isHoldingBack)
        let full = tour.feed(0, .run(flood.runs[flood.runs.count - 1]), on: flood.links[0])
        #expect(full.readings == [flood.links[0]: false, flood.links[1]: false])
        #expect(tour.devices[0].machine.isHoldingBack)
        let late = tour.link(0, toward: 2)
        #expect(tour.devices[0].effects.readings[late] == false, "a new link begins like that")
        #expect(flood.verifyAll().readings.isEmpty, "what is verified waits for the store")
        let toStore = flood.effects.runsToStore
        #expect(toStore.count == flood.runs.count)
        var stored = 0
        for run in toStore {
            let readings = tour.feed(0, .stored(run, events: run.events)).readings
            stored += 1
            let left = (flood.runs.count - stored) * Self.runLength
            #expect(readings.isEmpty || stored == flood.runs.count - Limits.unstoredEventsMax / 2 / Self.runLength)
            #expect(tour.devices[0].machine.isHoldingBack == (left > Limits.unstoredEventsMax / 2))
            #expect(tour.devices[0].machine.isBusy == (left > 0))
        }
        let last = flood.effects.readings
        #expect(last == [flood.links[0]: true, flood.links[1]: true, late: true])
    }

    @Test func aRunThatDoesNotVerifyLeavesTheBacklog() throws {
        let flood = try Flood(runs: 2)
        let tour = flood.tour
        flood.receiveAll()
        #expect(tour.devices[0].machine.isBusy)
        for check in flood.effects.runChecks { tour.feed(0, .checked(check, nil)) }
        #expect(!tour.devices[0].machine.isBusy)
        #expect(flood.effects.runsToStore.isEmpty)
    }

    @Test func aFailedStoreClosesAndPausesLinksAndReloads() throws {
        let flood = try Flood(runs: 2)
        let tour = flood.tour
        flood.receiveAll()
        _ = flood.verifyAll()
        let toStore = flood.effects.runsToStore
        #expect(toStore.count == 2)
        #expect(tour.devices[0].machine.acceptsLinks(now: tour.now))
        let failed = tour.feed(0, .storeFailed(toStore[0], isAhead: false))
        #expect(failed.closed == [flood.links[0]: .closing, flood.links[1]: .closing])
        #expect(failed.count("reload") == 1)
        tour.feed(0, .storeFailed(toStore[1], isAhead: false))
        #expect(!tour.devices[0].machine.isBusy)
        #expect(!tour.devices[0].machine.acceptsLinks(now: tour.now))
        #expect(tour.devices[0].machine.acceptsLinks(now: tour.now + .seconds(5)))
        tour.feed(0, .reloaded(tour.stored(by: 0)))
        let link = tour.link(0, toward: 1)
        tour.release("verify", "store")
        for run in flood.runs { tour.feed(0, .run(run), on: link) }
        let log = tour.devices[0].logs[tour.devices[1].id] ?? []
        #expect(log.map(\.header.sequence) == Array(1...UInt64(2 * Self.runLength)), "the runs are accepted again")
        #expect(!tour.devices[0].machine.isBusy)
    }

    /// A run that was on its way to the store when the replication began anew is not stored a second time.
    @Test func whatIsStoredBehindAReloadIsNotStoredAgain() throws {
        let flood = try Flood(runs: 2)
        let tour = flood.tour
        flood.receiveAll()
        _ = flood.verifyAll()
        let toStore = flood.effects.runsToStore
        tour.feed(0, .storeFailed(toStore[1], isAhead: false))
        tour.feed(0, .reloaded(tour.stored(by: 0)))
        tour.feed(0, .stored(toStore[0], events: toStore[0].events))
        #expect(tour.devices[0].machine.gossip.stored[tour.devices[1].id] == toStore[0].last)
        let link = tour.link(0, toward: 1)
        tour.release("verify")
        for run in flood.runs { tour.feed(0, .run(run), on: link) }
        let again = flood.effects.runsToStore.dropFirst(toStore.count)
        #expect(again.map(\.first) == [toStore[1].first])
    }

    @Test(arguments: [true, false]) func anEventAheadOfItsLogLeavesTheBacklogStoredOrNot(isStored: Bool) throws {
        let tour = try MemoryTour()
        tour.hold("storeAhead", "reload")
        let epoch = try #require(tour.devices[0].machine.group.currentEpoch)
        let log = try #require(tour.devices[1].logs[tour.devices[0].id])
        var author = tour.forger(of: 0, behind: log.last)
        let missing = author.write(.text("missing", replyTo: nil), under: epoch, wallMilliseconds: 0)
        let announcement = Content.Announcement(text: "come", urgent: true, expiresAt: nil, replyTo: nil)
        let urgent = author.write(.announcement(announcement), under: epoch, wallMilliseconds: 0)
        #expect(urgent.header.previous == missing.id)
        let link = tour.link(1, toward: 0)
        let effects = tour.feed(1, .run(Run([urgent], hops: 0, pushed: true)), on: link)
        let ahead = effects.compactMap { if case .storeAhead(let run) = $0 { run } else { nil } }
        let run = try #require(ahead.first)
        #expect(tour.devices[1].machine.isBusy)
        tour.feed(1, isStored ? .storedAhead(run) : .storeFailed(run, isAhead: true))
        #expect(!tour.devices[1].machine.isBusy)
        #expect(tour.count("reload", 1) == (isStored ? 0 : 1))
    }

    @Test func aSecondLifeOfTheTourCountsWhatTheFirstBegan() throws {
        let flood = try Flood(runs: 1)
        let tour = flood.tour
        flood.receiveAll()
        let left = tour.devices[0].machine
        let fresh = try MemoryTour()
        fresh.call(0) { $0.inheritWork(of: left) }
        #expect(fresh.devices[0].machine.isBusy)
        for check in flood.effects.runChecks { fresh.feed(0, .checked(check, nil)) }
        #expect(!fresh.devices[0].machine.isBusy)
    }
}
