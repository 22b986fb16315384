import Testing
import TourBlob
import TourModel
import TourWire

/// Goal: what goes wrong with some costs the others little; what a cast does not bring is left to the links, soon and
/// by name; nobody makes it longer than is stated. Method: as in `CastTests`, with bursts, one who hears badly or late,
/// a sender that goes away, two senders, asks and symbols made up by members.
struct CastTroubleTests {
    private func network(loss: Int = 20, seed: UInt64, listeners: Int = 8) -> CastNetwork {
        CastNetwork(bytes: 5_000_000, listeners: listeners, lossPerMille: loss, seed: seed)
    }

    private func isWhole(_ listener: CastNetwork.Listener) -> Bool { listener.doneAt != nil }

    /// Every chunk came, or was left to the links.
    private func isSettled(_ listener: CastNetwork.Listener) -> Bool {
        listener.have.count + listener.left.count == listener.have.limit || listener.ends.contains(.quiet)
    }

    @Test func burstsTakeALittleOfManyBlocks() {
        var network = network(loss: 0, seed: 1)
        network.bursts = (0..<20).map { Int64($0) * 100_000 + 50_000..<Int64($0) * 100_000 + 75_000 }
        network.cast()
        network.run()
        #expect(network.listeners.allSatisfy(isWhole))
        #expect(network.share <= 1.5, "\(network.share) bytes for one of the file")
        #expect(network.copies <= 1.7)
    }

    @Test func aLongBurstCostsItsWindow() {
        var network = network(loss: 0, seed: 1)
        network.bursts = [500_000..<800_000]
        network.cast()
        network.run()
        for listener in network.listeners {
            #expect(listener.left.count <= Limits.castWindowBlocks)
            #expect(isSettled(listener))
        }
        #expect(network.share <= 1.4)
    }

    @Test(arguments: [450, 600]) func oneWhoHearsBadlyHoldsNobodyUp(loss: Int) {
        var network = network(seed: 2)
        network.listeners[3].loss = loss
        network.cast()
        network.run()
        #expect(network.listeners.count(where: isWhole) == 7)
        #expect(network.copies <= 1.3, "\(network.copies) times as long as one copy")
        #expect(network.share <= 1.3)
        #expect(isSettled(network.listeners[3]))
    }

    @Test func aLatecomerGetsTheRestAndLeavesWhatItMissed() {
        var network = network(loss: 0, seed: 3)
        network.listeners[3].joinsAt = .milliseconds(1_000)
        network.cast()
        network.run()
        #expect(network.listeners.count(where: isWhole) == 7)
        #expect(network.listeners[3].have.count >= 40)
        #expect(network.listeners[3].have.count + network.listeners[3].left.count == network.shape.chunkCount)
        #expect(network.share <= 1.2)
    }

    @Test func aSenderThatVanishesIsGivenUp() {
        var network = network(loss: 50, seed: 4)
        network.cast(leavesAt: .milliseconds(1_000))
        network.run()
        for listener in network.listeners {
            #expect(listener.ends == [.quiet])
            #expect(!listener.machine.expects(76, of: network.blob))
            #expect(listener.have.count >= 30)
        }
        #expect(network.now <= Instant(microseconds: 1_800_000), "given up within 0.8 s")
    }

    @Test func ofTwoWhoCastTheSameOneGoesOn() {
        for (first, second) in [(1, 2), (2, 1)] {
            var network = network(loss: 50, seed: 5)
            network.cast(by: first)
            network.cast(by: second, at: .milliseconds(600))
            network.run()
            #expect(network.casters.map(\.ends) == [[.done], [.yielded]], "who is further on goes on")
            #expect(network.listeners.allSatisfy(isWhole))
            #expect(network.share <= 1.3)
        }
        var network = network(loss: 50, seed: 5)
        network.cast(by: 2)
        network.cast(by: 1)
        network.run()
        #expect(network.casters.map(\.ends) == [[.yielded], [.done]], "of two at one place the lower id")
        #expect(network.listeners.allSatisfy(isWhole))
    }

    /// A member that asks for everything all the time: no more than twice the blob, and some, is ever sent.
    @Test func madeUpAsksAreBounded() {
        var network = network(seed: 6)
        network.cast()
        let needs = (0..<64).map { CastAsk.Need(block: $0, count: 36) }
        for number in 0..<1_500 { network.forge(needs, at: .milliseconds(number * 3)) }
        network.run()
        #expect(network.listeners.allSatisfy(isWhole))
        #expect(network.share <= 2.5, "\(network.share) bytes for one of the file")
        #expect(network.copies <= 2.6)
        #expect(network.casters[0].ends == [.done])
    }

    /// Nor does it keep others silent for long: asks that the sender did not hear, or that are out of bounds.
    @Test func madeUpAsksSilenceNobody() {
        var network = network(loss: 100, seed: 7)
        network.cast()
        let needs = (0..<64).map { CastAsk.Need(block: $0, count: 255) }
        for number in 0..<1_500 { network.forge(needs, at: .milliseconds(number * 3)) }
        network.run()
        #expect(network.listeners.allSatisfy(isWhole))
        #expect(network.share <= 1.5)
    }

    @Test func wrongSymbolsEndTheTrust() {
        var network = network(loss: 0, seed: 8)
        network.cast(lie: 1)
        network.run()
        for listener in network.listeners {
            #expect(listener.have.isEmpty)
            #expect(listener.ends == [.wrong], "one chunk is enough")
            #expect(!listener.machine.expects(0, of: network.blob))
        }
    }

    /// Where a network takes less from one who speaks to all than the link to it: the rate goes down to that.
    @Test func aNarrowNetworkIsNotFlooded() {
        var network = CastNetwork(
            bytes: 5_000_000, listeners: 8, lossPerMille: 0, seed: 9, linkBytesPerSecond: 12_500_000)
        network.airBytesPerSecond = 1_000_000
        network.cast()
        network.run()
        for listener in network.listeners {
            #expect(listener.have.count >= network.shape.chunkCount - 2 * Limits.castWindowBlocks)
            #expect(isSettled(listener))
        }
        #expect(network.share <= 1.5)
    }

    @Test func whereNearlyNothingComesNothingIsSent() {
        var network = network(loss: 500, seed: 10, listeners: 20)
        network.cast()
        network.run()
        #expect(network.casters[0].ends == [.quiet])
        #expect(network.share <= 1, "it is given up before its end")
        #expect(network.listeners.allSatisfy(isSettled))
    }
}
