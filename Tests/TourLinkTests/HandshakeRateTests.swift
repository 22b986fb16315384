import Testing
import TourLink
import TourModel

/// Goal: who knows a secret makes us work out no more handshakes than the limits say, and keeps nobody else out.
/// Method: hellos with fresh salts of a member, from one address and from many.
struct HandshakeRateTests {
    private let world = World()
    private let anna = World.keys(1)
    private let ben = World.keys(2)

    private final class Door {
        var salts = HelloGuard()
        var dials: UInt32 = 0
    }

    private let door = Door()

    /// - Returns: how many of them were answered.
    private func dial(_ count: Int, from address: (Int) -> String) -> Int {
        (0..<count).count { number in
            door.dials += 1
            let flight = Peer(world, dialling: .member(world.credential(anna)), salt: door.dials).written()
            let here = Peer(world, credentials: [world.credential(ben)], from: address(number))
            here.salts = door.salts
            here.receive(flight)
            door.salts = here.salts
            #expect(here.fault == nil || here.fault == .tooManyHandshakes)
            let isAnswered = !here.written().isEmpty
            #expect(isAnswered == (here.fault == nil))
            return isAnswered
        }
    }

    @Test func oneAddressHasItsRate() {
        let atOnce = Int(HelloGuard.handshakesOfAddressAtOnceMax)
        #expect(dial(atOnce + 10) { _ in "10.0.0.1" } == atOnce)
        // It keeps no other out.
        #expect(dial(1) { _ in "10.0.0.2" } == 1)
        world.now = world.now + .milliseconds(500)
        let later = Int(HelloGuard.handshakesOfAddressPerSecondMax) / 2
        #expect(dial(later + 5) { _ in "10.0.0.1" } == later)
        // What it did not use it has again, and no more.
        world.now = world.now + .seconds(86_400)
        #expect(dial(atOnce + 1) { _ in "10.0.0.1" } == atOnce)
    }

    @Test func allAddressesHaveOne() {
        let atOnce = Int(HelloGuard.handshakesAtOnceMax)
        #expect(dial(atOnce + 20) { "10.0.1.\($0)" } == atOnce)
        world.now = world.now + .seconds(1)
        let later = Int(HelloGuard.handshakesPerSecondMax)
        #expect(dial(later + 5) { "10.0.2.\($0)" } == later)
        // An address that was refused for want of room has its own rate still.
        world.now = world.now + .seconds(1)
        #expect(dial(1) { _ in "10.0.2.\(later + 1)" } == 1)
    }

    /// A clock that stands still or goes back gives nothing away and locks nobody out.
    @Test func clockThatGoesBack() {
        let atOnce = Int(HelloGuard.handshakesOfAddressAtOnceMax)
        #expect(dial(atOnce) { _ in "10.0.0.1" } == atOnce)
        world.now = Instant(microseconds: 0)
        #expect(dial(1) { _ in "10.0.0.1" } == 0)
        world.now = world.now + .seconds(1)
        #expect(dial(1) { _ in "10.0.0.1" } == 1)
    }
}
