import TourGossip

/// Stands for a node's memory: the longest queue, and the largest number that any machine held of each kind.
package struct QueueFigures: Hashable, Sendable {
    /// Bytes that waited at one end of a link.
    package var linkBytesMax = 0
    /// Rows and signatures of the claims that one node keeps.
    package var claimBytesMax = 0
    var machine = GossipSize()

    /// Members with kept claims or positions.
    package var claims: Int { machine.claims }
    /// Events kept for others.
    package var recent: Int { machine.recent }
    /// Runs that wait for their predecessors.
    package var held: Int { machine.held }
    /// Authors that are waited for or asked for.
    package var pulls: Int { machine.pulls }
    /// On one segment: runs being sent.
    package var pendingRuns: Int { machine.pendingRuns }
    /// On one segment: answers being sent.
    package var repairs: Int { machine.repairs }
    /// On one segment: questions.
    package var gaps: Int { machine.gaps }
}
