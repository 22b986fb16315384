import TourModel
import TourWire

// Members' signed claims about themselves: which are news, and what follows from them. `ClaimState` keeps them and
// passes them on.
extension GossipMachine {
    mutating func accept(
        _ verified: [VerifiedClaim], from origin: Origin, _ step: inout Step<some RandomNumberGenerator>
    ) {
        for claim in verified {
            let member = claim.claim.member
            guard member != own else {
                acceptReturned(claim, &step)
                continue
            }
            let known = claims.known(of: member)
            guard known.isNews(claim.claim, among: authors.byPrefix) else { continue }
            let isNewest = claim.claim.counter > known.counter
            let implied = order.implied(by: claim.claim, logs, authors)
            let isRaised =
                known.rows.isEmpty || known.isRaised(by: claim.claim, implying: implied, among: authors.byPrefix)
            claims.add(claim, implying: implied, among: authors.byPrefix)
            if isNewest {
                tree.recordLife(of: claim.claim, from: origin, step.now)
                if case .multicast(let id) = origin { multicast.remove(claimOf: member, on: id) }
                ClaimState.passOn(claim, isRaised: isRaised, from: origin, root: tree.root, &multicast, &links, &step)
            } else {
                ClaimState.passOn(older: claim, from: origin, &links, step.now)
            }
            step.outputs.append(.claimed(claim, origin, isNewest: isNewest))
            let covered = compare(claim.claim, implying: implied, &step)
            if !covered.isEmpty { step.outputs.append(.covered(member, covered)) }
            // A neighbour's claim is as good as a `Have`.
            for (author, last) in implied { links.raise(author, to: last, having: member) }
            for head in claim.claim.heads {
                guard let author = authors[head.prefix] else { continue }
                links.raise(author, to: head.sequence, having: member)
                pulls.scheduleLater(author, through: head.sequence, of: member, logs, links, &step)
                if case .multicast(let id) = origin { miss(author, through: head.sequence, on: id, &step) }
            }
        }
    }

    /// We signed this claim before a restart or restore, or another device with our key did. If its counter came from a
    /// clock that was ahead, our next counter must exceed it.
    private mutating func acceptReturned(
        _ returned: VerifiedClaim, _ step: inout Step<some RandomNumberGenerator>
    ) {
        let claim = returned.claim
        let known = claims.known(of: own)
        let isAhead = claim.counter > known.counter
        if isAhead || claims.isForeign(claim) { step.outputs.append(.ownCounter(claim.counter)) }
        if known.isNews(claim, among: authors.byPrefix) {
            let implied = order.implied(by: claim, logs, authors)
            claims.add(returned, implying: implied, among: authors.byPrefix)
        }
        guard isAhead else { return }
        claims.raiseOwnRead(claim.readThrough)
        // Not at once after the last claim: two copies of one node would drive each other on.
        claims.speak(step.now)
    }

    /// Asks the shell to sign our next claim when it is due.
    mutating func signOwnClaim(_ step: inout Step<some RandomNumberGenerator>) {
        guard !links.isEmpty, claims.beginOwn(step.now) else { return }
        // Where datagrams are lost, more rows list a change.
        let words = multicast.loudness(step.now).words
        let settled = order.settledWhole(logs, authors, step.now)
        let heads = claims.nextHeads(
            own, of: logs.storedHeads, settled: settled?.byAuthor,
            repeats: OwnHeads.repeats + OwnHeads.repeatsPerWord * words, &step)
        step.outputs.append(
            .signClaim(
                heads, whole: settled?.whole, readThrough: claims.ownRead, isAsleep: claims.isAsleep))
    }

    mutating func publish(own claim: VerifiedClaim, _ step: inout Step<some RandomNumberGenerator>) {
        let known = claims.known(of: own)
        let implied = order.implied(by: claim.claim, logs, authors)
        let isRaised =
            known.rows.isEmpty || known.isRaised(by: claim.claim, implying: implied, among: authors.byPrefix)
        claims.signed(claim, implying: implied, among: authors, &step)
        ClaimState.passOn(own: claim, isRaised: isRaised, root: tree.root, &multicast, &links, &step)
    }

    /// Restores every claim and the user's read position, as the store keeps them over a restart.
    /// - Parameter through: the last clock of the stored events.
    /// - Returns: for each row the stored events that its member has.
    @discardableResult package mutating func restore(
        _ rows: [VerifiedClaim], readThrough: LogicalClock? = nil, through: LogicalClock? = nil
    ) -> [[PrefixedHead]] {
        order.begin(through: through)
        let implied = rows.map { order.implied(by: $0.claim, logs, authors) }
        for (claim, implied) in zip(rows, implied) {
            claims.add(claim, implying: implied, among: authors.byPrefix)
        }
        claims.raiseOwnRead(readThrough ?? claims.newest(of: own)?.claim.readThrough)
        return zip(rows, implied).map { covered(by: $0.claim, implying: $1).heads }
    }
}
