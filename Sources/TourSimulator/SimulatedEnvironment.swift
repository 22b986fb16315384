import TourModel
import TourRuntime
import TourWire

/// What surrounds the machine of one simulated node.
struct SimulatedEnvironment: TourEnvironment {
    let simulation: Simulation
    let node: Int

    var reading: ClockReading { simulation.reading(of: node) }
    var applied: Instant { simulation.now + simulation.nodeConditions.applying }

    var rng: SplitMix64 {
        get { simulation.rng }
        nonmutating set { simulation.rng = newValue }
    }

    func queuedBytes(on link: LinkID) -> Int { simulation.queuedBytes(link, node) }
    func send(_ message: LinkMessage, on link: LinkID) { simulation.transmit(message, link, from: node) }
    func carryOut(_ effect: TourEffect) { simulation.carryOut(effect, node) }
    func wake(at deadline: Instant?) { simulation.wake(node, at: deadline) }

    /// How long the queue of a link has to drain before it gets more.
    private static let owedPause: Duration = .milliseconds(100)

    func goOn(sendingOwedOn link: LinkID) {
        let life = simulation.nodes[node].life
        simulation.after(Self.owedPause) { [unowned simulation] in
            guard simulation.isCurrent(node, life) else { return }
            simulation.nodes[node].runner.sendOwed(
                on: link, in: SimulatedEnvironment(simulation: simulation, node: node))
        }
    }
}
