import TourGossip

/// What stands for a node's memory: the longest queue, and the most that any machine held of each kind.
package struct QueueFigures: Hashable, Sendable {
    /// Bytes that waited at one end of a link.
    package var linkBytesMax = 0
    /// Rows and signatures of the claims that one node keeps.
    package var claimBytesMax = 0
    var machine = GossipSize()

    package var claims: Int { machine.claims }
    package var recent: Int { machine.recent }
    package var held: Int { machine.held }
    package var pulls: Int { machine.pulls }
    package var flights: Int { machine.flights }
    package var repairs: Int { machine.repairs }
    package var gaps: Int { machine.gaps }
}
