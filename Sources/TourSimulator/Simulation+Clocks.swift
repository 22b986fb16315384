import TourModel
import TourRuntime

// Wall clocks: each node believes its own. All share the clock that never steps.
extension Simulation {
    /// Milliseconds since 1970 by a node's wall clock.
    func wallMilliseconds(of node: Int) -> Int64 { wallMilliseconds + nodes[node].clockOffset }

    /// What a node's clocks show.
    func reading(of node: Int) -> ClockReading {
        ClockReading(
            now: now, wallMicroseconds: wallMilliseconds(of: node) * 1_000 + now.microseconds % 1_000)
    }

    /// A person, or a time server, sets a node's clock.
    package func stepClock(_ node: Int, by milliseconds: Int64) { nodes[node].clockOffset += milliseconds }

    /// A node's clock is corrected.
    package func setClock(_ node: Int) { nodes[node].clockOffset = 0 }

    /// The node restarts without a battery for its clock.
    package func startIn1970(_ node: Int) {
        nodes[node].clockOffset = -wallMilliseconds
        crash(node)
        restart(node)
    }
}
