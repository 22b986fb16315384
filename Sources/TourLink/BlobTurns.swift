import TourModel

/// The links of one network whose packets queue up: one of them at a time has a slice of a file on its way, so that
/// many links make a message wait no longer than one does. Source: `Protocol/11-blobs.md`, "Pace".
package struct BlobTurns<Link: Hashable & Sendable>: Sendable {
    private struct Waiting {
        var link: Link
        var askedAt: Instant
    }

    private var holder: (link: Link, since: Instant)?
    private var line: [Waiting] = []

    package init() {}

    /// Asked again and again by a link with nothing on its way.
    /// - Returns: whether a slice may go; the turn ends when the link asks again, or with `leave`.
    package mutating func takes(_ link: Link, now: Instant) -> Bool {
        if let holder, holder.link == link || now - holder.since > Limits.blobTurnTime { self.holder = nil }
        if let place = line.firstIndex(where: { $0.link == link }) {
            line[place].askedAt = now
        } else {
            line.append(Waiting(link: link, askedAt: now))
        }
        line.removeAll { now - $0.askedAt > Limits.blobTurnPatience }
        guard holder == nil, line.first?.link == link else { return false }
        line.removeFirst()
        holder = (link, now)
        return true
    }

    /// The link needs no turn, or has none any more.
    package mutating func leave(_ link: Link) {
        if holder?.link == link { holder = nil }
        line.removeAll { $0.link == link }
    }
}
