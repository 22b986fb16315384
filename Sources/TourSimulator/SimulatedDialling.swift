import TourGossip
import TourModel

/// What a node's shell keeps where nodes choose their links.
struct SimulatedDialling {
    var dialer = Dialer()
    /// Where the node listens in this life; nil before its clockwork runs.
    var address: Dialer.Address?
    /// What was announced on its networks, in the order in which it was heard.
    var seen: [Dialer.Place] = []
    /// Addresses that led to a member, the last used first. They outlive a restart.
    var remembered: [Dialer.Address] = []
    /// When each member last gave a sign of life, and when its link was lost.
    var seenAt: [MemberID: Instant] = [:]
    var lostAt: [MemberID: Instant] = [:]
    var isDialScheduled = false
    /// When a link to a neighbour was lost, until there are links to all neighbours again.
    var lossAt: Instant?
    /// The whole device is without power: nothing there refuses a call.
    var isDark = false

    mutating func remember(_ address: Dialer.Address) {
        remembered = [address] + remembered.filter { $0 != address }.prefix(Self.rememberedMax - 1)
    }

    /// As many as a real node's store keeps.
    private static let rememberedMax = 64
}

/// A dial on its way. Void when the life that dialled has ended.
struct SimulatedDial {
    let node: Int
    let life: Int
    let target: Dialer.Target
    /// Whose address it was when it was announced.
    let peer: Int
    /// Calls that nobody answered.
    var unanswered = 0
}

/// What happens where nodes choose their links.
enum DiallingStep {
    case begin(node: Int, life: Int)
    case tick(node: Int, life: Int)
    case dial(node: Int, life: Int)
    /// A node hears of an address.
    case hear(node: Int, life: Int, Dialer.Place)
    /// The last record of an address expires.
    case expire(Dialer.Address)
    case call(SimulatedDial)
    /// The dialler learns who answers.
    case met(SimulatedDial)
    /// The one who was dialled learns who it is.
    case arrive(SimulatedDial)
    /// The dialler learns that the link is open.
    case opened(LinkID, SimulatedDial)
    case failed(SimulatedDial)
    /// A node has heard nothing on a link for too long.
    case silence(LinkID, node: Int)
}

/// What networks and devices do where nodes choose their links.
package struct OverlayConditions: Hashable, Sendable {
    /// All start within this time.
    package var start: Duration = .seconds(5)
    /// How long until a node hears of another, at most.
    package var discovery: Duration = .seconds(1)
    /// Of a thousand links that end without a word, how many do so in silence, until the keep-alive misses an answer;
    /// and of a thousand power failures, how many take the whole device.
    package var silentPerMille = 0
    /// How long others see the record of a device that is off.
    package var recordLifetime: Duration = .seconds(120)

    package init() {}
}

/// How nodes came to their links.
package struct OverlayCounts: Hashable, Sendable {
    package var dials = 0
    /// Dials that ended when it was known who answers: the member was not needed.
    package var unneeded = 0
    /// Links refused because there were enough; links ended because there were two, or too many.
    package var refused = 0
    package var duplicates = 0
    package var surplus = 0
    /// Losses of a neighbour after which a node had links to all its neighbours again; how long that took, together and
    /// at most.
    package private(set) var repairs = 0
    package private(set) var repairTime: Duration = .zero
    package private(set) var repairLongest: Duration = .zero

    package var repairMean: Duration { repairs == 0 ? .zero : repairTime / repairs }

    mutating func note(repair time: Duration) {
        repairs += 1
        repairTime += time
        repairLongest = max(repairLongest, time)
    }
}
