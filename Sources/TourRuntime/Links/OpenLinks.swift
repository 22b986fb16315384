import TourGroup
import TourLink
import TourModel
import TourWire

/// The open links of a tour, and whether links may be used at all.
struct OpenLinks: Sendable {
    private var links: [LinkID: OpenLink] = [:]
    /// A linked peer sent us its control events: it counts us as a member, or may.
    private(set) var isRecognised = false
    /// The store failed: no link is used before this.
    private var pausedUntil: Instant?

    subscript(link: LinkID) -> OpenLink? {
        get { links[link] }
        _modify { yield &links[link] }
    }

    /// In a fixed order, so that the same inputs lead to the same effects.
    var ids: [LinkID] { links.keys.sorted() }

    /// The link to a member, or to one that the roster does not name yet.
    func link(to member: MemberID) -> LinkID? {
        var found: LinkID?
        for (id, link) in links where link.member == member { found = min(found ?? id, id) }
        return found
    }

    mutating func recordRecognised() { isRecognised = true }

    /// - Returns: false if the link was not open.
    mutating func close(_ link: LinkID) -> Bool {
        guard links.removeValue(forKey: link) != nil else { return false }
        if links.isEmpty { isRecognised = false }
        return true
    }

    mutating func pause(until time: Instant) { pausedUntil = time }

    func accepts(now: Instant) -> Bool { pausedUntil.map { $0 <= now } ?? true }
}
