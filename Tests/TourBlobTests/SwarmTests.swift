import Testing
import TourBlob
import TourModel
import TourWire

/// Goal: a file reaches all who want it in little more than the time that one copy takes over its sender's line, which
/// carries about one. Method: real machines on lines of 20 and 100 Mbit/s, with the sizes of real frames.
@Suite struct SwarmTests {
    private static let size = 5_000_000
    /// Of one copy over a line of 20 Mbit/s.
    private static let copySeconds = Double(size) * 8 / 20e6

    struct Case: CustomTestStringConvertible {
        var receivers: Int
        var isFull: Bool
        var seed: UInt64

        var testDescription: String { "\(receivers) receivers, \(isFull ? "full" : "sparse"), seed \(seed)" }
    }

    static let cases = [2, 8, 20].flatMap { receivers in
        [true, false].flatMap { isFull in
            (1...3).map { Case(receivers: receivers, isFull: isFull, seed: $0) }
        }
    }

    @Test(arguments: cases) func everybodyHasItSoon(of test: Case) {
        let file = SwarmFile(1, size: Self.size)
        var network = SwarmNetwork([file], seed: test.seed)
        let nodes = network.party(receivers: test.receivers, isFull: test.isFull)
        network.open(file, at: nodes[0], .origin)
        for node in nodes.dropFirst() { network.open(file, at: node, .wanted) }
        #expect(network.run { $0.isDone(nodes.dropFirst(), [file]) })
        #expect(network.seconds <= 1.6 * Self.copySeconds, "\(network.seconds) s")
        #expect(network.nodes[nodes[0]].sentBytes <= Self.size * 11 / 10)
        // What still goes on when everybody has it counts too.
        network.run(.seconds(60))
        #expect(network.frameShare(of: Self.size * test.receivers) <= 1.02)
        #expect(network.isWithoutFault)
        #expect(network.nodes.map(\.cameAgain).reduce(0, +) == 0)
    }

    /// Twice the distance, and each of the two wants another part first.
    @Test(arguments: [1, 2, 3] as [UInt64]) func twoFilesShareTheLinks(seed: UInt64) {
        let files = [SwarmFile(1, size: 3_000_000), SwarmFile(2, size: 1_000_000)]
        var network = SwarmNetwork(files, seed: seed)
        let nodes = network.party(receivers: 8, isFull: false)
        for file in files {
            network.open(file, at: nodes[0], .origin)
            for node in nodes.dropFirst() { network.open(file, at: node, .wanted) }
        }
        #expect(network.run { $0.isDone(nodes.dropFirst(), files) })
        #expect(network.seconds <= 1.6 * 4_000_000 * 8 / 20e6, "\(network.seconds) s")
        #expect(network.nodes[nodes[0]].sentBytes <= 4_400_000)
        // The shorter one is of use before.
        let ends = files.map { file in nodes.dropFirst().compactMap { network.nodes[$0].done[file.blob] }.max() }
        #expect(ends[1].map { second in ends[0].map { second < $0 } ?? false } ?? false)
    }

    /// Whoever comes late gets it from those that have it, the origin is there or not.
    @Test(arguments: [true, false]) func aLateOneGetsItFromAll(isOriginThere: Bool) {
        let file = SwarmFile(1, size: Self.size)
        var network = SwarmNetwork([file], seed: 4)
        let nodes = network.party(receivers: 7, isFull: false)
        network.open(file, at: nodes[0], .origin)
        for node in nodes.dropFirst() { network.open(file, at: node, .wanted) }
        #expect(network.run { $0.isDone(nodes.dropFirst(), [file]) })
        let late = network.add(megabits: 100)
        if !isOriginThere { network.stop(nodes[0]) }
        let before = network.nodes[nodes[0]].sentBytes
        let start = network.seconds
        network.open(file, at: late, .wanted)
        for node in nodes where isOriginThere || node != nodes[0] { network.link(late, node) }
        #expect(network.run { $0.isDone([late], [file]) })
        // At 100 Mbit/s, from many at once: its own line is the bound.
        #expect(network.seconds - start <= 2 * Double(Self.size) * 8 / 100e6, "\(network.seconds - start) s")
        #expect(network.nodes[nodes[0]].sentBytes - before <= Self.size / 4)
        #expect(network.isWithoutFault)
    }

    @Test func anEmptyFileIsThereAtOnce() {
        let file = SwarmFile(1, size: 0)
        var network = SwarmNetwork([file], seed: 1)
        let nodes = network.party(receivers: 2, isFull: true)
        network.open(file, at: nodes[0], .origin)
        for node in nodes.dropFirst() { network.open(file, at: node, .wanted) }
        #expect(network.isDone(nodes.dropFirst(), [file]) && network.seconds == 0)
        network.run(.seconds(30))
        #expect(network.nodes.allSatisfy { $0.sentChunks == 0 && $0.faults.isEmpty })
    }

    /// Nobody whom the others know: a file of several pages, and the origin behind one of them.
    @Test func pagesComeFromWhoeverHasThem() {
        let file = SwarmFile(1, size: Limits.blobChunkBytes * (Limits.blobPageHashesMax + 5))
        var network = SwarmNetwork([file], seed: 2)
        let nodes = (0..<4).map { _ in network.add(megabits: 1_000) }
        for (left, right) in [(0, 1), (1, 2), (1, 3), (2, 3)] { network.link(nodes[left], nodes[right]) }
        network.open(file, at: nodes[0], .origin)
        for node in nodes.dropFirst() { network.open(file, at: node, .wanted) }
        #expect(network.run { $0.isDone(nodes.dropFirst(), [file]) })
        #expect(network.nodes[nodes[0]].sentChunks == file.shape.chunkCount)
        #expect(network.nodes.map { $0.kinds["page"] ?? 0 }.reduce(0, +) == 6)
        #expect(network.isWithoutFault)
    }
}

extension SwarmNetwork {
    /// The author, behind 20 Mbit/s, and receivers behind 100.
    mutating func party(receivers: Int, isFull: Bool, _ manners: [SwarmNode.Manners] = []) -> [Int] {
        var nodes = [add(megabits: 20)]
        for place in 0..<receivers {
            nodes.append(add(megabits: 100, place < manners.count ? manners[place] : .honest))
        }
        if isFull {
            for left in nodes { for right in nodes where right > left { link(left, right) } }
        } else {
            linkSparsely(nodes)
        }
        return nodes
    }

    /// A ring, and chance links until everybody has five.
    private mutating func linkSparsely(_ nodes: [Int]) {
        for (place, node) in nodes.enumerated() { link(node, nodes[(place + 1) % nodes.count]) }
        for node in nodes {
            for other in nodes.filter({ $0 != node }).shuffled(using: &rng)
            where self.nodes[node].pipes.count < 5 && self.nodes[other].pipes.count < 8 {
                link(node, other)
            }
        }
    }

    func isDone(_ receivers: some Sequence<Int>, _ files: [SwarmFile]) -> Bool {
        receivers.allSatisfy { node in files.allSatisfy { nodes[node].done[$0.blob] != nil } }
    }

    /// All bytes in frames, of so many that had to come.
    func frameShare(of bytes: Int) -> Double { Double(nodes.map(\.sentFrameBytes).reduce(0, +)) / Double(bytes) }

    var isWithoutFault: Bool { nodes.allSatisfy { $0.faults.isEmpty && $0.badStores == 0 } }
}
