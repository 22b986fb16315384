import Testing
import TourModel
import TourSimulator

// Goal: everybody comes to know the newest position of everybody who shares one, over several hops, with loss and
// breaks. Method: fixed seeds; sharers that move, one that stops, one whose sharing ends.
@Suite struct PositionTests {
    private static func fix(_ number: Int, _ step: Int) throws -> Fix {
        let place = try #require(Coordinate(latitude: Int32(number * 1_000 + step), longitude: Int32(step)))
        return try #require(Fix(place, accuracyMetres: 5, fixedAt: 1_000_000))
    }

    @Test(arguments: [(0, 71), (20, 72), (30, 73)] as [(Int, UInt64)])
    func allEndWithTheNewest(percent: Int, seed: UInt64) throws {
        let simulation = Simulation(seed: seed, topology: .segments(4, of: 6))
        simulation.conditions.lossPerMille = percent * 10
        simulation.breaksPerMille = percent * 10
        simulation.connectAll()
        simulation.run(for: .seconds(2))
        var newest = [MemberID: Fix?]()
        for step in 1...6 {
            for node in stride(from: 0, to: simulation.nodes.count, by: 3) {
                let fix = try Self.fix(node, step)
                simulation.share(fix, until: .seconds(3_600), node: node)
                newest[simulation.nodes[node].id] = fix
            }
            simulation.run(for: .seconds(10))
        }
        simulation.share(nil, until: .seconds(3_600), node: 3)
        newest[simulation.nodes[3].id] = .some(nil)
        simulation.share(try Self.fix(1, 1), until: .seconds(20), node: 1)
        simulation.breaksPerMille = 0
        simulation.conditions.lossPerMille = 0
        // Of whom a link broke under a row it comes with the next one, a minute later at most.
        simulation.run(for: .seconds(21))
        for node in stride(from: 0, to: simulation.nodes.count, by: 3) where node != 3 {
            let fix = try Self.fix(node, 7)
            simulation.share(fix, until: .seconds(3_600), node: node)
            newest[simulation.nodes[node].id] = fix
        }
        let time = simulation.run(atMost: .seconds(40)) { simulation.allKnow(newest) }
        #expect(time != nil, "seed \(seed): not all know where all are")
    }
}
