import Testing
import TourCrypto
import TourLink
import TourModel
import TourWire

/// Goal: no link opens on a handshake of which a byte was changed or cut off, whoever of the two hears it, for members
/// and for those who join. Method: each byte of each flight of an honest handshake, both ends of it in turn; each
/// beginning of each flight; then the time of the handshake runs out.
struct HandshakeByteTests {
    enum Kind: CaseIterable { case member, join }

    private let anna = World.keys(1)
    private let ben = World.keys(2)

    private struct Ends {
        let world: World
        let dialler: Peer
        let responder: Peer

        /// Who hears the flight of this number, from 0.
        func hearer(_ flight: Int) -> Peer { flight.isMultiple(of: 2) ? responder : dialler }
        func speaker(_ flight: Int) -> Peer { flight.isMultiple(of: 2) ? dialler : responder }
    }

    private func ends(_ kind: Kind) -> Ends {
        let world = World()
        let intent: DialIntent =
            kind == .member ? .member(world.credential(anna)) : .join(world.ticket(World.keys(9)))
        return Ends(
            world: world, dialler: Peer(world, dialling: intent, knows: [anna, ben]),
            responder: Peer(
                world, credentials: [world.credential(ben), world.inviteCredential(ben)], knows: [anna, ben]))
    }

    /// Brings a handshake as far as this flight, which is not heard yet.
    private func flight(_ number: Int, _ kind: Kind) -> (Ends, [UInt8]) {
        let ends = ends(kind)
        for earlier in 0..<number { ends.hearer(earlier).receive(ends.speaker(earlier).written()) }
        return (ends, ends.speaker(number).written())
    }

    /// The pendingRuns of an honest handshake: with the last of them both ends are open.
    private func pendingRuns(_ kind: Kind) -> [Int] {
        let ends = ends(kind)
        var sizes = [Int]()
        while !ends.dialler.isOpen || !ends.responder.isOpen, sizes.count < 10 {
            let bytes = ends.speaker(sizes.count).written()
            ends.hearer(sizes.count).receive(bytes)
            sizes.append(bytes.count)
        }
        return sizes
    }

    /// Nothing opens, now or later, and the time runs out at the latest.
    private func expectEnd(_ ends: Ends, _ number: Int, _ what: Comment) {
        let hearer = ends.hearer(number)
        #expect(!hearer.isOpen && hearer.opened.isEmpty && hearer.readMessages().isEmpty, what)
        ends.world.now = ends.world.now + Limits.handshakeTimeout + .microseconds(1)
        hearer.tick()
        #expect(hearer.fault != nil, what)
        #expect(!hearer.isOpen, what)
    }

    @Test(arguments: Kind.allCases) func everyChangedByteEndsIt(kind: Kind) {
        var tried = 0
        for (number, size) in pendingRuns(kind).enumerated() {
            for index in 0..<size {
                for mask in [1 << UInt8(index % 8), 0xFF] as [UInt8] {
                    var (ends, bytes) = flight(number, kind)
                    bytes[index] ^= mask
                    ends.hearer(number).receive(bytes)
                    if number < 2 { #expect(ends.hearer(number).written().isEmpty, "flight \(number) byte \(index)") }
                    expectEnd(ends, number, "flight \(number) byte \(index)")
                    tried += 1
                }
            }
        }
        #expect(tried > 1_400)
    }

    @Test(arguments: Kind.allCases) func everyBeginningWaitsAndEnds(kind: Kind) {
        var tried = 0
        for (number, size) in pendingRuns(kind).enumerated() {
            for count in 0..<size {
                let (ends, bytes) = flight(number, kind)
                ends.hearer(number).receive(Array(bytes.prefix(count)))
                #expect(ends.hearer(number).fault == nil, "\(count) bytes of flight \(number)")
                if number < 2 { #expect(ends.hearer(number).written().isEmpty, "\(count) bytes of flight \(number)") }
                expectEnd(ends, number, "\(count) bytes of flight \(number)")
                #expect(ends.hearer(number).fault == .handshakeTimeout, "\(count) bytes of flight \(number)")
                tried += 1
            }
        }
        #expect(tried > 700)
    }

    @Test(arguments: Kind.allCases) func whatIsTriedIsTheWholeHandshake(kind: Kind) {
        let sizes = pendingRuns(kind)
        // Hello and message 1; message 2; message 3 and, of a member, the bind; the other's bind; a joiner's request.
        #expect(Array(sizes.prefix(2)) == [2 + 33 + 2 + 48, 2 + 96])
        #expect(sizes[2] == (kind == .member ? 2 + 64 + 2 + 272 : 2 + 64))
        #expect(sizes.count == (kind == .member ? 4 : 5))
    }
}
