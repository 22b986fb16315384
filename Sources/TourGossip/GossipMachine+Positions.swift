import TourModel
import TourWire

// Positions that members share: each member's newest row goes to every neighbour that has not shown that it has it, and
// no position is stored. Source: `Protocol/06-replication.md`, "Positions".
extension GossipMachine {
    mutating func received(positions rows: [ClaimRow], _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>)
    {
        guard let link = origin.link, links[link]?.isDistrusted == false else { return }
        var news = [MemberID: HeardPosition]()
        for row in rows.prefix(Limits.positionsPerMessageMax) {
            let named: PositionClaim?
            do {
                named = try PositionClaim.decode(row.row) { authors[$0] }
            } catch {
                links[link]?.badRuns += 1
                continue
            }
            guard let claim = named, ends[claim.member] == nil else { continue }
            switch positions.order(of: claim, row.row) {
            case .same: links[link]?.positions[claim.member] = nil
            case .older: plan(positionOf: claim.member, on: link, at: step.now)
            case .newer:
                if let other = news[claim.member], other.claim.counter >= claim.counter { continue }
                news[claim.member] = HeardPosition(claim: claim, row: row)
            }
        }
        let members = members.count
        let heard = news.keys.sorted().compactMap { member in
            links[link]?.positionBudget.acquire(step.now, members: members) == true ? news[member] : nil
        }
        if !heard.isEmpty { step.outputs.append(.verifyPositions(origin, heard)) }
    }

    /// Applies rows that the shell has verified or made.
    /// - Parameter origin: nil for our own row.
    mutating func accept(
        positions rows: [VerifiedPosition], from origin: Origin?, _ step: inout Step<some RandomNumberGenerator>
    ) {
        positions.drop(step.now) { ends[$0] != nil }
        for position in rows where position.lapsesAt > step.now && ends[position.claim.member] == nil {
            let member = position.claim.member
            guard positions.order(of: position.claim, position.row.row) == .newer else { continue }
            let due = positions.add(position, step.now)
            step.outputs.append(.positioned(position))
            if let link = origin?.link { links[link]?.positions[member] = nil }
            guard position.row.hops < Limits.hopsMax else { continue }
            for link in links.keys.sorted() where link != origin?.link {
                guard let state = links[link], state.member != member else { continue }
                plan(positionOf: member, on: link, at: due + delay(on: state, isOwn: origin == nil))
            }
        }
    }

    /// On the tree a row gathers with others for a moment. On other links the tree mostly brought the row already, and
    /// the peer with the smaller id sends it first.
    private func delay(on link: GossipLink, isOwn: Bool) -> Duration {
        if link.isEager { return isOwn ? .zero : Limits.positionDelay }
        return own < link.member ? Limits.lazyPositionDelay : Limits.lazyPositionDelay * 2
    }

    private mutating func plan(positionOf member: MemberID, on link: LinkID, at time: Instant) {
        guard let state = links[link] else { return }
        links[link]?.positions[member] = min(state.positions[member] ?? time, time)
        links[link]?.positionsDue = min(state.positionsDue ?? time, time)
    }

    /// Schedules every kept row for a new neighbour.
    mutating func owePositions(_ link: LinkID, _ now: Instant) {
        for member in positions.kept.keys { plan(positionOf: member, on: link, at: now + Limits.positionDelay) }
    }

    mutating func flushPositions(_ step: inout Step<some RandomNumberGenerator>) {
        for link in links.keys.sorted() {
            guard let state = links[link], let due = state.positionsDue, due <= step.now else { continue }
            guard state.hasSpoken, !state.isLagging else {
                links[link]?.positionsDue = step.now + Limits.lazyPositionDelay
                continue
            }
            let members = state.positions.filter { $0.value <= step.now }.keys.sorted().prefix(
                Limits.positionsPerMessageMax)
            for member in members { links[link]?.positions[member] = nil }
            let next = links[link]?.positions.values.min().map { max($0, step.now + Limits.positionDelay) }
            links[link]?.positionsDue = next
            let rows = members.compactMap { member -> ClaimRow? in
                guard let position = positions.kept[member]?.position, position.lapsesAt > step.now else { return nil }
                return position.row
            }
            if !rows.isEmpty { step.outputs.append(.send(link, .positions(rows))) }
        }
    }

    /// The positions that members share now, and when each row arrived; ended ones are left out.
    package func sharedPositions(_ now: Instant) -> [(claim: PositionClaim, takenAt: Instant)] {
        positions.kept.values.filter { $0.position.lapsesAt > now && ends[$0.position.claim.member] == nil }
            .map { ($0.position.claim, $0.takenAt) }
    }
}
