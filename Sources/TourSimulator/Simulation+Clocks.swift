import TourModel

// Wall clocks: each node believes its own. The clock that never steps is one for all.
extension Simulation {
    /// Milliseconds since 1970 on a node's wall.
    func wallMilliseconds(of node: Int) -> Int64 { wallMilliseconds + nodes[node].clockOffset }

    /// Somebody, or a time server, sets a node's clock.
    package func stepClock(_ node: Int, by milliseconds: Int64) { nodes[node].clockOffset += milliseconds }

    /// A node's clock is set right.
    package func setClock(_ node: Int) { nodes[node].clockOffset = 0 }

    /// The node starts anew, without a battery for its clock.
    package func startIn1970(_ node: Int) {
        nodes[node].clockOffset = -wallMilliseconds
        crash(node)
        restart(node)
    }
}
