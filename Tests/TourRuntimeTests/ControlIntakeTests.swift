import Testing
import TourGossip
import TourModel
import TourRuntime

/// Goal: however many control events come and however many are held, working the roster out leaves most of the time for
/// everything else, and no link brings more meanwhile than a bound. Method: a clock that the test turns.
struct ControlIntakeTests {
    private static let start = Instant(microseconds: 5_000_000)
    private static let event = [UInt8](repeating: 1, count: 1_000)

    @Test func workIsAFifthOfTheTime() {
        var intake = ControlIntake()
        var now = Self.start
        var (worked, taken) = (Duration.zero, 0)
        for _ in 0..<1_000 {
            intake.add([Self.event], from: nil)
            if intake.pause(at: now) == .zero {
                taken += intake.drain().controls.count
                intake.worked(from: now, to: now + .milliseconds(50))
                now = now + .milliseconds(50)
                worked += .milliseconds(50)
            }
            now = now + .milliseconds(1)
        }
        #expect(worked * 5 <= now - Self.start + .milliseconds(250))
        #expect(worked >= .milliseconds(150))
        #expect(taken + intake.drain().controls.count == 1_000)
    }

    /// What comes alone is taken at once.
    @Test func nothingWaitsForNothing() {
        var intake = ControlIntake()
        intake.add([Self.event], from: nil)
        #expect(intake.pause(at: Self.start) == .zero)
        _ = intake.drain()
        intake.worked(from: Self.start, to: Self.start + .milliseconds(2))
        #expect(intake.pause(at: Self.start + .milliseconds(2)) == .milliseconds(8))
        #expect(intake.pause(at: Self.start + .milliseconds(10)) == .zero)
    }

    @Test func aLinkThatBringsMuchIsNotReadOn() {
        var intake = ControlIntake()
        let (quick, slow) = (LinkID(value: 1), LinkID(value: 2))
        var brought = 0
        while !intake.isFull(of: quick) {
            intake.add([Self.event], from: quick)
            brought += Self.event.count
        }
        #expect(brought >= 500_000 && brought < 1_000_000)
        #expect(!intake.isFull(of: slow))
        let other = [UInt8](repeating: 2, count: 10)
        intake.add([other], from: slow)
        let batch = intake.drain()
        #expect(batch.sources == [quick, slow])
        #expect(batch.events(sentBy: quick) == [Self.event] && batch.events(sentBy: slow) == [other])
        #expect(!intake.isFull(of: quick) && intake.drain().controls.isEmpty)
    }

    /// The loop stands still for a turn, not for all that came; and nothing is lost or taken twice.
    @Test func aTurnIsAPart() {
        var intake = ControlIntake()
        let links = (1...2).map { LinkID(value: $0) }
        var brought = [[UInt8]]()
        for number in 0..<100 {
            let events = (0..<8).map { [UInt8](repeating: UInt8(number), count: 1_000 + $0) }
            brought += events
            intake.add(events, from: links[number % 2])
        }
        var (taken, turns) = ([[UInt8]](), 0)
        while !intake.isEmpty {
            let turn = intake.dequeueTurn()
            #expect(turn.controls.reduce(0) { $0 + $1.count } < 80_000)
            taken += turn.controls
            turns += 1
        }
        #expect(taken == brought && turns > 10)
        #expect(links.allSatisfy { !intake.isFull(of: $0) })
    }
}
