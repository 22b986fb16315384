import TourCrypto
import TourModel
import TourWire

/// The part that this node knows of the log of a member that is removed, or whose rank changes.
package struct KnownLog: Sendable {
    /// The end of the log.
    package let tail: Author.Tail
    /// The control events that belong to it.
    package let controls: Set<EventID>

    package init(tail: Author.Tail, controls: Set<EventID>) {
        self.tail = tail
        self.controls = controls
    }
}

// The events that leaders write: revocations, ranks and removals. Source: `Protocol/05-events.md`, "Cuts".
extension TourGroup {
    /// The body of a revocation: the invite, and the admissions under it that stand.
    /// - Parameter since: admissions dated from here on do not stand, in milliseconds since 1970; nil: all do.
    package func revokeBody(_ invite: SigningKey, since: Int64? = nil) -> ControlBody {
        .revoke(invite: invite, accepted: admissions(under: [invite], before: since ?? .max))
    }

    /// The active members admitted under an invite since then, ascending.
    package func admitted(under invite: SigningKey, since milliseconds: Int64) -> [MemberID] {
        let devices = controls.values.compactMap { record -> MemberID? in
            guard case .admit(let request) = record.body, request.invite == invite,
                record.event.header.clock.milliseconds >= milliseconds, roster.basis.contains(record.event.id)
            else { return nil }
            return record.admitted
        }
        return Set(devices).filter { roster.members[$0]?.isActive == true }.sorted()
    }

    /// The known part of a member's log: the stored events, and the control events that continue them. An event
    /// behind a gap does not count: its author chose its place, and could void or keep anything by it. Nor does an
    /// event in whose place another is stored: a removed member can write one at any time.
    /// - Parameter stored: the end of the stored log.
    /// - Parameter id: returns the id of the stored event at a place of the log.
    package func knownLog<Failure: Error>(
        of member: MemberID, stored: Author.Tail, id: (UInt64) throws(Failure) -> EventID?
    ) throws(Failure) -> KnownLog {
        var chain = Set<EventID>()
        // If two events continue the same one, the lower id counts.
        var next = [EventID: Event]()
        for record in controls.values where record.author == member {
            let (event, place) = (record.event, record.event.header.sequence)
            if place > stored.sequence {
                let other = next[event.header.previous]
                if other.map({ event.id < $0.id }) ?? true { next[event.header.previous] = event }
            } else if record.weight != nil, try id(place) == event.id {
                chain.insert(event.id)
            }
        }
        var tail = stored
        while let event = next[tail.id], event.header.sequence - 1 == tail.sequence {
            tail = Author.Tail(sequence: event.header.sequence, id: event.id)
            chain.insert(event.id)
        }
        return KnownLog(tail: tail, controls: chain)
    }

    /// The body of a change of rank.
    package func roleBody(_ member: MemberID, _ rank: Rank, log: KnownLog) -> ControlBody {
        let present = roster.members[member]
        return .role(
            ControlBody.Role(
                member: member, rank: rank, sequence: log.tail.sequence,
                replaces: Array((present?.roles ?? []).suffix(Limits.rolesReplacedMax)),
                controls: standing(of: member, on: log) { present?.rank(at: $0) ?? .member > rank }))
    }

    /// The body of a removal: the end of the member's log, the events of it that stand, and the end of every invite,
    /// since the member may have kept a code. Invites beyond the number that it holds must be revoked before it.
    package func removeBody(_ member: MemberID, log: KnownLog) -> ControlBody {
        let revoked = Array(roster.invitesEndedByRemoval.prefix(Limits.invitesRevokedMax)).sorted()
        return .remove(
            ControlBody.Remove(
                member: member, sequence: log.tail.sequence, last: log.tail.id, revoked: revoked,
                accepted: admissions(under: Set(revoked)), controls: standing(of: member, on: log) { _ in true }))
    }

    /// The licences that this member owes since a removal of its own ended those of before: one for each host that has
    /// none and is in, with the uses and the time that were left. It owes them until it makes the code that follows.
    /// - Parameter seed: makes `SigningKeyPair.seedBytes` random bytes.
    package func owedLicences(
        of own: MemberID, under epoch: EpochKey, seed: () -> SecretBytes
    ) -> [ControlBody] {
        let acts = controls.values.filter { $0.author == own }
        let code = acts.filter(\.isCode).map(\.event.header.sequence).max() ?? 0
        let ended = acts.flatMap { record -> [SigningKey] in
            guard case .remove(let removal) = record.body, record.event.header.sequence > code else { return [] }
            return removal.revoked
        }
        let licences = Set(ended).compactMap { roster.invites[$0] }.filter { !$0.isUsedUp }
        var hosts = Set<MemberID>()
        return licences.sorted { ($0.createdAt, $0.event) > ($1.createdAt, $1.event) }.compactMap { licence in
            guard let host = licence.host, roster.members[host]?.isActive == true,
                roster.openLicences(of: host).isEmpty, hosts.insert(host).inserted
            else { return nil }
            return SeatLicence(seed: seed()).body(
                for: host, uses: UInt32(clamping: licence.uses == 0 ? 0 : licence.uses - licence.used),
                expiresAt: licence.expiresAt, under: epoch)
        }
    }

    /// The names of a member's control events at these places of its log, as many as one event holds: first those on
    /// which most others depend.
    private func standing(
        of member: MemberID, on log: KnownLog, where isMeant: (UInt64) -> Bool
    ) -> [EventName] {
        let weighed = controls.values.compactMap { record -> (weight: Int, record: ControlRecord)? in
            let place = record.event.header.sequence
            guard record.author == member, log.controls.contains(record.event.id), place <= log.tail.sequence,
                isMeant(place), let weight = weight(of: record)
            else { return nil }
            return (weight, record)
        }
        let first = weighed.sorted {
            ($0.weight, $0.record.event.header.sequence) < ($1.weight, $1.record.event.header.sequence)
        }
        return first.prefix(Limits.controlsNamedMax).map(\.record.name).sorted()
    }

    /// Events on which the roster does not depend come last; just before them the invites that nobody used.
    private func weight(of record: ControlRecord) -> Int? {
        guard let weight = record.weight else { return nil }
        guard roster.basis.contains(record.event.id) else { return Self.weightOfNothing }
        if case .invite(let invite) = record.body, roster.invites[invite.key]?.used == 0 {
            return Self.weightOfNothing - 1
        }
        return weight
    }

    private static let weightOfNothing = 9

    /// The admissions under these invites on which the roster depends, at most `Limits.membersMax`, those of active
    /// members first: a member can write any number of others.
    /// - Parameter end: only those dated before this, in milliseconds since 1970.
    private func admissions(under invites: Set<SigningKey>, before end: Int64 = .max) -> [EventName] {
        let admits = controls.values.compactMap { record -> (isIn: Bool, name: EventName)? in
            guard case .admit(let request) = record.body, invites.contains(request.invite),
                record.event.header.clock.milliseconds < end, roster.basis.contains(record.event.id)
            else { return nil }
            return (record.admitted.map { roster.members[$0]?.isActive == true } ?? false, record.name)
        }
        let first = admits.sorted { left, right in
            left.isIn != right.isIn ? left.isIn : left.name < right.name
        }
        return first.prefix(Limits.membersMax).map(\.name).sorted()
    }
}

extension ControlRecord {
    /// Whether it makes a code by which people join.
    var isCode: Bool {
        guard case .invite(let invite) = body else { return false }
        return invite.host == nil
    }

    /// How early the event is named among those that stand, from 0: events that depend on it fall with it.
    /// - Returns: nil for events that take effect at any place, so that nobody needs to name them.
    fileprivate var weight: Int? {
        switch body {
        case .remove, .role: 0
        case .revoke, .leave, .close: 1
        case .invite: 2
        case .admit: 3
        case .genesis, .fork, .rekey, .wrappingKey, .unknown: nil
        }
    }
}
