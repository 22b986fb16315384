import TourGossip
import TourModel

/// The state of a node's shell where nodes choose their links.
struct SimulatedDialling {
    var dialer = Dialer()
    /// Where the node listens in this life; nil before its timers run.
    var address: Dialer.Address?
    /// Addresses announced on its networks, in the order of arrival.
    var seen: [Dialer.Candidate] = []
    /// Addresses that led to a member, the last used first. They survive a restart.
    var remembered: [Dialer.Address] = []
    var isDialScheduled = false
    /// When a link to a neighbour was lost, until there are links to all neighbours again.
    var lossAt: Instant?
    /// The whole device is without power, so nothing there refuses a call.
    var isDark = false

    mutating func remember(_ address: Dialer.Address) {
        remembered = [address] + remembered.filter { $0 != address }.prefix(Self.rememberedMax - 1)
    }

    /// As many as a real node's store keeps.
    private static let rememberedMax = 64
}

/// A dial in progress. Void when the life that dialled has ended.
struct SimulatedDial {
    let node: Int
    let life: Int
    let target: Dialer.Target
    /// The node whose address it was when it was announced.
    let peer: Int
    /// Calls without an answer.
    var unanswered = 0
}

/// Events where nodes choose their links.
enum DiallingStep {
    case begin(node: Int, life: Int)
    case tick(node: Int, life: Int)
    case dial(node: Int, life: Int)
    /// A node learns an address.
    case hear(node: Int, life: Int, Dialer.Candidate)
    /// The last record of an address expires.
    case expire(Dialer.Address)
    case call(SimulatedDial)
    /// The dialler learns which member answers.
    case met(SimulatedDial)
    /// The dialled node learns which member dialled.
    case arrive(SimulatedDial)
    /// The dialler learns that the link is open.
    case opened(LinkID, SimulatedDial)
    case failed(SimulatedDial)
    /// A node has received nothing on a link for too long.
    case silence(LinkID, node: Int)
}

/// The behaviour of networks and devices where nodes choose their links.
package struct OverlayConditions: Hashable, Sendable {
    /// All nodes start within this time.
    package var start: Duration = .seconds(5)
    /// The longest time until a node discovers another.
    package var discovery: Duration = .seconds(1)
    /// How many of a thousand links that end without a bye do so in silence, until the keep-alive misses an answer;
    /// and how many of a thousand power failures take the whole device.
    package var silentPerMille = 0
    /// How long others see the record of a device that is off.
    package var recordLifetime: Duration = .seconds(120)

    package init() {}
}

/// Counts of dials, refusals and repairs where nodes choose their links.
package struct OverlayCounts: Hashable, Sendable {
    /// Dials begun.
    package var dials = 0
    /// Dials that ended once the member that answered was known: it was not needed.
    package var unneeded = 0
    /// Links refused because there were enough; links ended because there were two, or too many.
    package var refused = 0
    /// Links ended because there were two to one member.
    package var duplicates = 0
    /// Links ended because there were too many.
    package var surplus = 0
    /// How often a node that lost a neighbour had links to all its neighbours again; how long that took, in total and
    /// at most.
    package private(set) var repairs = 0
    /// The time of all repairs together.
    package private(set) var repairTime: Duration = .zero
    /// The time of the longest repair.
    package private(set) var repairLongest: Duration = .zero

    /// The mean time of a repair.
    package var repairMean: Duration { repairs == 0 ? .zero : repairTime / repairs }

    mutating func record(repair time: Duration) {
        repairs += 1
        repairTime += time
        repairLongest = max(repairLongest, time)
    }
}
