import TourModel
import TourWire

// Each member's newest row goes to every neighbour that has not shown that it has it, and no position is stored.
// Source: `Protocol/06-replication.md`, "Positions".
extension PositionState {
    /// Asks the shell to verify the rows that are news.
    func receive(
        _ rows: [ClaimRow], _ origin: Origin, _ authors: Authors, _ logs: Logs, _ links: inout Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let link = origin.link, links[link]?.isDistrusted == false else { return }
        var news = [MemberID: HeardPosition]()
        for row in rows.prefix(Limits.positionsPerMessageMax) {
            let named: PositionClaim?
            do { named = try PositionClaim.decode(row.row) { authors[$0] } } catch {
                links[link]?.recordBadRuns()
                continue
            }
            guard let claim = named, logs.ends[claim.member] == nil else { continue }
            switch order(of: claim, row.row) {
            case .same: links[link]?.positions.remove(claim.member)
            case .older: links[link]?.positions.add(claim.member, at: step.now)
            case .newer:
                if let other = news[claim.member], other.claim.counter >= claim.counter { continue }
                news[claim.member] = HeardPosition(claim: claim, row: row)
            }
        }
        let members = authors.members.count
        let heard = news.keys.sorted().compactMap { member in
            links[link]?.positions.acquireCheck(step.now, members: members) == true ? news[member] : nil
        }
        if !heard.isEmpty { step.outputs.append(.verifyPositions(origin, heard)) }
    }

    /// Applies rows that the shell has verified or made.
    /// - Parameter origin: nil for our own row.
    mutating func accept(
        _ rows: [VerifiedPosition], from origin: Origin?, own: MemberID, _ logs: Logs, _ links: inout Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        drop(step.now) { logs.ends[$0] != nil }
        for position in rows where position.lapsesAt > step.now && logs.ends[position.claim.member] == nil {
            let member = position.claim.member
            guard order(of: position.claim, position.row.row) == .newer else { continue }
            let due = add(position, step.now)
            step.outputs.append(.positioned(position))
            if let link = origin?.link { links[link]?.positions.remove(member) }
            guard position.row.hops < Limits.hopsMax else { continue }
            for link in links.ids where link != origin?.link {
                guard let state = links[link], state.member != member else { continue }
                let delay = Self.delay(on: state, isOwn: origin == nil, own: own)
                links[link]?.positions.add(member, at: due + delay)
            }
        }
    }

    /// On the tree a row gathers with others for a moment. On other links the tree mostly brought the row already, and
    /// the peer with the smaller id sends it first.
    private static func delay(on link: GossipLink, isOwn: Bool, own: MemberID) -> Duration {
        if link.branch.isEager { return isOwn ? .zero : Self.delay }
        return own < link.member ? Self.lazyDelay : Self.lazyDelay * 2
    }

    /// Schedules every kept row for a new neighbour.
    func queueAll(on link: LinkID, _ links: inout Links, _ now: Instant) {
        for member in kept.keys { links[link]?.positions.add(member, at: now + Self.delay) }
    }

    /// Sends the rows that are due.
    func flush(_ links: inout Links, _ step: inout Step<some RandomNumberGenerator>) {
        for link in links.ids {
            guard let state = links[link], let due = state.positions.due, due <= step.now else { continue }
            guard state.hasSpoken, !state.isLagging else {
                links[link]?.positions.postpone(to: step.now + Self.lazyDelay)
                continue
            }
            let members = links[link]?.positions.dequeue(step.now) ?? []
            let rows = members.compactMap { member -> ClaimRow? in
                guard let position = kept[member]?.position, position.lapsesAt > step.now else { return nil }
                return position.row
            }
            if !rows.isEmpty { step.outputs.append(.send(link, .positions(rows))) }
        }
    }

    /// The positions that members share now, and when each row arrived; ended ones are left out.
    func shared(_ logs: Logs, _ now: Instant) -> [(claim: PositionClaim, takenAt: Instant)] {
        kept.values.filter { $0.position.lapsesAt > now && logs.ends[$0.position.claim.member] == nil }.map {
            ($0.position.claim, $0.takenAt)
        }
    }
}
