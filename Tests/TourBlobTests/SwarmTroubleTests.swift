import Testing
import TourBlob
import TourModel
import TourWire

/// Goal: nobody who leaves, lies or is slow keeps a file from the others. Method: the same network, and one trouble
/// each.
@Suite struct SwarmTroubleTests {
    private static let size = 5_000_000

    /// What was stored is not fetched again.
    @Test(arguments: [1, 2] as [UInt64]) func whoCrashesGoesOnWhereItWas(seed: UInt64) throws {
        let file = SwarmFile(1, size: Self.size)
        var network = SwarmNetwork([file], seed: seed)
        let nodes = network.party(receivers: 8, isFull: false)
        network.open(file, at: nodes[0], .origin)
        for node in nodes.dropFirst() { network.open(file, at: node, .wanted) }
        let victim = nodes[3]
        let peers = network.nodes[victim].pipes.values.map(\.to).sorted()
        let half = file.shape.chunkCount / 2
        #expect(network.run { $0.nodes[victim].stored[file.blob]?.count ?? 0 >= half })
        let stored = try #require(network.nodes[victim].stored[file.blob])
        network.stop(victim)
        network.at(.milliseconds(1_500)) { $0.start(victim, links: peers) }
        #expect(network.run { $0.isDone(nodes.dropFirst(), [file]) })
        // Of what was on its way when it fell at most a few come twice, and none that was stored.
        #expect(network.nodes[victim].cameAgain <= 5)
        #expect(network.nodes[victim].cameAfterStop.allSatisfy { !stored.contains($0) })
        #expect(network.isWithoutFault)
    }

    /// The author leaves; what is there is in two halves, and a third has nothing.
    @Test(arguments: [1, 2, 3] as [UInt64]) func twoHalvesMakeAWhole(seed: UInt64) {
        let file = SwarmFile(1, size: Self.size)
        var network = SwarmNetwork([file], seed: seed)
        let nodes = (0..<3).map { _ in network.add(megabits: 100) }
        for (left, right) in [(0, 1), (1, 2)] { network.link(nodes[left], nodes[right]) }
        var halves = [file.nothing, file.nothing]
        for chunk in 0..<file.shape.chunkCount { halves[chunk % 2].insert(chunk) }
        network.open(file, at: nodes[0], .wanted, have: halves[0])
        network.open(file, at: nodes[1], .wanted, have: halves[1])
        network.open(file, at: nodes[2], .wanted)
        #expect(network.run { $0.isDone(nodes, [file]) })
        #expect(network.nodes[nodes[0]].came == halves[1].count && network.nodes[nodes[1]].came == halves[0].count)
    }

    /// An origin gives each part to one before it gives any to a second: when it leaves at 60 % of two copies, the
    /// two have all of it together.
    @Test(arguments: [1, 2, 3] as [UInt64]) func theAuthorMayLeaveEarly(seed: UInt64) {
        let file = SwarmFile(1, size: Self.size)
        var network = SwarmNetwork([file], seed: seed)
        let nodes = (0..<3).map { $0 == 0 ? network.add(megabits: 20) : network.add(megabits: 100) }
        network.link(nodes[0], nodes[1])
        network.link(nodes[0], nodes[2])
        network.open(file, at: nodes[0], .origin)
        network.open(file, at: nodes[1], .wanted)
        network.open(file, at: nodes[2], .wanted)
        let most = file.shape.chunkCount * 6 / 5
        #expect(network.run { $0.nodes[1].came + $0.nodes[2].came >= most })
        network.stop(nodes[0])
        network.link(nodes[1], nodes[2])
        #expect(network.run { $0.isDone(nodes.dropFirst(), [file]) })
    }

    @Test(arguments: [SwarmNode.Manners.liar, .forger, .staller, .refuser], [1, 2, 3] as [UInt64])
    func nobodyWaitsForWhoGivesNothing(_ manners: SwarmNode.Manners, seed: UInt64) {
        let file = SwarmFile(1, size: Self.size)
        var network = SwarmNetwork([file], seed: seed)
        let nodes = network.party(receivers: 8, isFull: false, [manners, manners])
        let honest = [nodes[0]] + nodes[3...]
        network.open(file, at: nodes[0], .origin)
        for node in nodes.dropFirst() { network.open(file, at: node, .wanted) }
        #expect(network.run { $0.isDone(honest.dropFirst(), [file]) })
        // Only who says nothing is waited for, and that not long.
        #expect(network.seconds <= (manners == .staller ? 6 : 4.4), "\(network.seconds) s")
        #expect(network.nodes.allSatisfy { $0.badStores == 0 })
        // Who sends what is false is found out once by each neighbour.
        let faults = honest.flatMap { network.nodes[$0].faults }
        let neighbours = nodes[1...2].map { network.nodes[$0].pipes.count }.reduce(0, +)
        #expect(manners == .liar || manners == .forger ? !faults.isEmpty : faults.isEmpty)
        #expect(faults.count <= neighbours)
        #expect(faults.contains(manners == .forger ? .falsePage : .falseChunk) || faults.isEmpty)
        let asked = network.nodes[nodes[1]].asked + network.nodes[nodes[2]].asked
        #expect((1...neighbours * 2 * BlobPeer.refusalsMax).contains(asked), "\(asked) chunks asked of them")
    }

    /// Behind a segment of 1 Mbit/s: there it takes as long as it takes, and nobody else is kept.
    @Test func aSlowSegmentKeepsNobodyElse() {
        let file = SwarmFile(1, size: 1_000_000)
        var network = SwarmNetwork([file], seed: 3)
        let nodes = network.party(receivers: 5, isFull: true)
        let far = (0..<2).map { _ in network.add(megabits: 100) }
        network.link(far[0], far[1])
        network.link(nodes[0], far[0], megabits: 1)
        network.link(nodes[2], far[1], megabits: 1)
        network.open(file, at: nodes[0], .origin)
        for node in nodes.dropFirst() + far { network.open(file, at: node, .wanted) }
        #expect(network.run { $0.isDone(nodes.dropFirst(), [file]) })
        #expect(network.seconds <= 1.6 * 8_000_000 / 20e6, "\(network.seconds) s")
        #expect(network.run { $0.isDone(far, [file]) })
        // Two slow links carry one copy, and little twice.
        #expect(network.seconds <= 1.6 * 8_000_000 / 2e6, "\(network.seconds) s")
        #expect(network.isWithoutFault)
    }

    /// The way of a file over two who do not want it.
    @Test func relaysCarryItAndStop() {
        let file = SwarmFile(1, size: 1_000_000)
        var network = SwarmNetwork([file], seed: 3)
        let nodes = (0..<4).map { _ in network.add(megabits: 20) }
        for place in 0..<3 { network.link(nodes[place], nodes[place + 1]) }
        network.open(file, at: nodes[0], .origin)
        network.open(file, at: nodes[1], .relay)
        network.open(file, at: nodes[2], .relay)
        network.run(.seconds(5))
        // Nobody wants it.
        #expect(network.nodes.allSatisfy { $0.sentChunks == 0 })
        network.open(file, at: nodes[3], .wanted)
        let start = network.seconds
        #expect(network.run { $0.isDone([nodes[3]], [file]) })
        #expect(network.seconds - start <= 2 * 8_000_000 / 20e6, "\(network.seconds - start) s")
        #expect(network.nodes[nodes[0]].sentChunks == file.shape.chunkCount)
    }

    /// Who wanted it is gone: relays end what they began for it, and do not keep each other at it.
    @Test func relaysDoNotWantForEachOther() {
        let file = SwarmFile(1, size: 10_000_000)
        var network = SwarmNetwork([file], seed: 3)
        let nodes = (0..<4).map { _ in network.add(megabits: 10) }
        for place in 0..<3 { network.link(nodes[place], nodes[place + 1]) }
        network.open(file, at: nodes[0], .origin)
        network.open(file, at: nodes[1], .relay)
        network.open(file, at: nodes[2], .relay)
        network.open(file, at: nodes[3], .wanted)
        network.run(.seconds(2))
        network.stop(nodes[3])
        network.run(.seconds(30))
        let sent = network.nodes[nodes[0]].sentChunks
        #expect((1..<file.shape.chunkCount).contains(sent))
        #expect(network.nodes[nodes[1]].machine.blobs[file.blob]?.wants.value == 0)
        #expect(network.nodes[nodes[2]].machine.blobs[file.blob]?.wants.value == 0)
    }

    /// Nobody helps anybody: the origin has to, and does.
    @Test func aStarIsServedByItsMiddle() {
        let file = SwarmFile(1, size: 1_000_000)
        var network = SwarmNetwork([file], seed: 3)
        let nodes = network.party(receivers: 0, isFull: true) + (0..<6).map { _ in network.add(megabits: 100) }
        for node in nodes.dropFirst() { network.link(nodes[0], node) }
        network.open(file, at: nodes[0], .origin)
        for node in nodes.dropFirst() { network.open(file, at: node, .wanted) }
        #expect(network.run { $0.isDone(nodes.dropFirst(), [file]) })
        // Six copies take 2.4 s; a second passes before it knows that it is alone.
        #expect(network.seconds <= 10, "\(network.seconds) s")
        #expect(network.nodes[nodes[0]].sentChunks == 6 * file.shape.chunkCount)
    }
}
