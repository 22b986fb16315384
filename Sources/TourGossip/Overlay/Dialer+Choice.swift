import TourModel
import TourWire

// Which of the known addresses to dial, and what the dials show. Source: `Protocol/06-replication.md`, "Overlay".
extension Dialer {
    private struct Choice {
        var target: Target
        var member: MemberID?
        var urgency: Overlay.Urgency
        /// Fresh addresses first, seen ones before remembered ones, otherwise at random: nodes should not all dial the
        /// same few.
        var rank: (failed: Int, source: Int, chance: UInt64)

        static func precedes(_ left: Choice, _ right: Choice) -> Bool {
            left.urgency == right.urgency ? left.rank < right.rank : left.urgency < right.urgency
        }
    }

    /// The addresses to dial now for one tour: the neighbours on the ring, then others while there is room, and
    /// otherwise now and then an address whose member is unknown.
    /// - Parameters:
    ///   - candidates: where members may be.
    ///   - left: members that have left the tour.
    package mutating func due(
        for tour: TourID, among candidates: [Candidate], overlay: Overlay, left: Set<MemberID>, now: Instant,
        using rng: inout some RandomNumberGenerator
    ) -> [Target] {
        let dialling = attempts.filter { $0.key.tour == tour && $0.value.isDialling }
        // A dial that failed before does not keep others from their turn.
        let busy = dialling.values.filter { $0.failures == 0 }.count
        var room = max(0, overlay.room - busy)
        var members = left.union(dialling.values.compactMap(\.member))
        var due = [Target]()
        for choice in choices(among: candidates, tour, overlay, now, &rng) where due.count + busy < Self.atOnceMax {
            guard choice.urgency == .neighbour || room > 0 else { break }
            if let member = choice.member, !members.insert(member).inserted { continue }
            room -= 1
            due.append(choice.target)
        }
        if due.isEmpty, busy == 0, overlay.room == 0, let target = probe(candidates, tour, overlay, left, now, &rng) {
            due = [target]
        }
        for target in due { attempts[target, default: Attempts()].isDialling = true }
        return due
    }

    private func choices(
        among candidates: [Candidate], _ tour: TourID, _ overlay: Overlay, _ now: Instant,
        _ rng: inout some RandomNumberGenerator
    ) -> [Choice] {
        var choices = [Choice]()
        for candidate in candidates {
            let target = Target(address: candidate.address, tour: tour)
            let attempt = attempts[target] ?? Attempts()
            guard !attempt.isDialling, !attempt.isSelf, attempt.notBefore <= now,
                let urgency = overlay.urgency(of: attempt.member)
            else { continue }
            if attempt.declinedUntil > now, urgency != .neighbour { continue }
            choices.append(
                Choice(
                    target: target, member: attempt.member, urgency: urgency,
                    rank: (min(attempt.failures, 1), candidate.source.rawValue, rng.next())))
        }
        return choices.sorted(by: Choice.precedes)
    }

    /// An address whose member is unknown: a neighbour's, or that of a member that nobody here has met. Where none is
    /// left, an address at which a member answered that is missing now: the rings decide who looks for it, but it may
    /// be the only way to others.
    private mutating func probe(
        _ candidates: [Candidate], _ tour: TourID, _ overlay: Overlay, _ left: Set<MemberID>, _ now: Instant,
        _ rng: inout some RandomNumberGenerator
    ) -> Target? {
        let free = candidates.map { Target(address: $0.address, tour: tour) }.filter {
            let attempt = attempts[$0] ?? Attempts()
            return !attempt.isDialling && attempt.notBefore <= now
        }
        var worthAsking = free.filter { (attempts[$0] ?? Attempts()).isPromising }
        if worthAsking.isEmpty, !overlay.lacksNeighbour {
            worthAsking = free.filter {
                attempts[$0]?.member.map { overlay.isAbsent($0) && !left.contains($0) } ?? false
            }
        }
        // Addresses that failed wait until the others had their turn: a network is full of records of departed nodes.
        let fewest = worthAsking.map { attempts[$0]?.failures ?? 0 }.min()
        let next = worthAsking.filter { (attempts[$0]?.failures ?? 0) == fewest }
        guard let target = next.randomElement(using: &rng) else {
            // An address that comes up later is not asked by every node at once.
            probeDue[tour] = nil
            return nil
        }
        let interval = overlay.lacksNeighbour ? overlay.searchInterval : overlay.probeInterval
        let due = probeDue[tour]
        if let due, due > now, due <= now + interval * 2 { return nil }
        let half = interval.microseconds / 2
        probeDue[tour] = now + .microseconds(Int64.random(in: half...half * 3, using: &rng))
        return due.map { $0 <= now } ?? false ? target : nil
    }

    /// Records a dial that reached nobody, and backs off.
    package mutating func failed(_ target: Target, now: Instant, using rng: inout some RandomNumberGenerator) {
        var attempt = attempts[target] ?? Attempts()
        attempt.isDialling = false
        attempt.failures += 1
        // Full jitter: nodes that lost the same access point must not return in step.
        let span = Int64.random(in: attempt.backoff.microseconds / 2...attempt.backoff.microseconds, using: &rng)
        attempt.notBefore = now + .microseconds(span)
        let isLost = attempt.reachedAt.map { now - $0 < Self.lostTime } ?? false
        attempt.backoff = min(attempt.backoff * 2, isLost ? Self.lostBackoffMax : Self.backoffMax)
        attempts[target] = attempt
    }

    /// Records a dial that a member answered.
    /// - Parameter isSelf: whether our own node answered.
    package mutating func reached(_ target: Target, _ member: MemberID, isSelf: Bool, now: Instant) {
        var attempt = attempts[target] ?? Attempts()
        attempt.isDialling = false
        attempt.failures = 0
        attempt.backoff = Self.backoffMin
        attempt.notBefore = now + Self.backoffMin
        attempt.member = member
        attempt.isSelf = isSelf
        attempt.reachedAt = now
        attempts[target] = attempt
    }

    /// A link is lost, whichever side dialled it: the member is dialled again soon.
    package mutating func lost(_ member: MemberID, of tour: TourID, now: Instant) {
        change(member, of: tour) {
            $0.notBefore = now + .milliseconds(200)
            $0.backoff = Self.backoffMin
            $0.reachedAt = now
        }
    }

    /// The member has links enough.
    package mutating func declined(_ member: MemberID, of tour: TourID, now: Instant) {
        change(member, of: tour) {
            $0.notBefore = now + Self.lostBackoffMax
            $0.declinedUntil = now + Self.declinedPause
        }
    }

    /// Records that the link to a member has ended, and the reason if the peer gave one.
    /// - Returns: whether the member may be gone. Its old claims may still circulate: it is present again when
    ///   something newer arrives.
    package mutating func ended(
        _ member: MemberID, of tour: TourID, saying reason: ByeReason?, now: Instant
    ) -> Bool {
        switch reason {
        case .full: declined(member, of: tour, now: now)
        case .duplicate, .rehandshake: lost(member, of: tour, now: now)
        default:
            lost(member, of: tour, now: now)
            return true
        }
        return false
    }

    /// Our addresses changed, or the machine slept: dials that failed before may work now.
    package mutating func networkChanged(now: Instant) {
        for (target, attempt) in attempts where !attempt.isDialling {
            attempts[target]?.notBefore = now
            attempts[target]?.backoff = Self.backoffMin
            attempts[target]?.failures = 0
        }
    }

    private mutating func change(_ member: MemberID, of tour: TourID, _ body: (inout Attempts) -> Void) {
        for (target, attempt) in attempts where target.tour == tour && attempt.member == member {
            var changed = attempt
            body(&changed)
            attempts[target] = changed
        }
    }
}

extension Overlay {
    fileprivate var searchInterval: Duration {
        Dialer.neighbourSearchInterval + Dialer.neighbourSearchIntervalPerMember * presentCount
    }

    fileprivate var probeInterval: Duration {
        max(Dialer.probeInterval, Dialer.probeIntervalPerMember * presentCount)
    }
}
