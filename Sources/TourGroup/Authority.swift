import TourModel
import TourWire

/// The result of a set's role and remove events: each member's rank at each place of its log, and the ends of logs.
/// Source: `Protocol/05-events.md`, "Authority".
///
/// A higher level always decides first: no member changes anything for those at its own level or above, so the
/// decisions of a level never depend on the levels below it, and one pass over the levels suffices, from the top.
struct Authority {
    private let founder: MemberID
    private let effort: Effort
    private let forks: [MemberID: UInt64]
    private var histories: [MemberID: RankHistory] = [:]
    /// The ends that removals set; `ends` also covers forks.
    private var cuts: [MemberID: LogEnd] = [:]
    private(set) var ends: [MemberID: LogEnd] = [:]
    /// The control events of each removed member that all its removals name, by the level of the remover.
    private var kept: [MemberID: [Level: Set<EventName>]] = [:]
    /// The role and remove events that count, and the role events that these replace.
    private(set) var basis = Set<EventID>()

    /// - Parameter forks: the first place at which each forked log forks.
    init(
        founder: MemberID, forks: [MemberID: UInt64], records: some Collection<ControlRecord>, _ effort: Effort
    ) {
        self.founder = founder
        self.effort = effort
        self.forks = forks
        ends = forks.mapValues { LogEnd(sequence: $0 - 1) }
        var open = records.filter(Self.acts)
        let surplus = Self.surplus(open)
        open.removeAll { surplus.contains($0.event.id) }
        let roles = RoleEvents(open, effort)
        for level in Level.acting where !open.isEmpty {
            effort.spend(open.count)
            var acting = [ControlRecord]()
            var later = [ControlRecord]()
            for record in open {
                let isItsTurn = self.level(of: record.author, at: record.event.header.sequence) == level
                if !isItsTurn { later.append(record) } else if counts(record) { acting.append(record) }
            }
            var ranked = Set<MemberID>()
            for record in acting {
                if let member = apply(record, by: level, roles) { ranked.insert(member) }
            }
            for member in ranked { histories[member]?.settle(of: member, roles) }
            open = later
        }
    }

    /// Members named by a role event that counts: that event makes them members, whatever becomes of their invite.
    var vouched: some Collection<MemberID> { histories.keys }

    var removed: some Collection<MemberID> { kept.keys }

    /// Whether an event is at a place in its log that counts, and is the one that was there when its author was removed
    /// or lost its rank: if the place alone decided, the author could write another event there later.
    func counts(_ record: ControlRecord) -> Bool {
        let (author, sequence) = (record.author, record.event.header.sequence)
        guard cuts[author]?.reaches(sequence, record.event.id) ?? true else { return false }
        let level = level(of: record)
        let removals = kept[author]?.filter { $0.key > level } ?? [:]
        guard removals.values.allSatisfy({ $0.contains(record.name) }) else { return false }
        // A fork does not undo events that a higher level lets stand: a removed member could write a fork at any time.
        if removals.isEmpty, let fork = forks[author], sequence >= fork { return false }
        return histories[author]?.keeps(record, at: level, effort) ?? true
    }

    /// Whether the author has a leading rank at this place in its log.
    func leads(_ record: ControlRecord) -> Bool { level(of: record) >= .guide }

    func level(of record: ControlRecord) -> Level {
        level(of: record.author, at: record.event.header.sequence)
    }

    /// The level of a member at one place in its log.
    private func level(of member: MemberID, at sequence: UInt64) -> Level {
        member == founder ? .founder : histories[member]?.level(at: sequence) ?? .member
    }

    /// The role events on a member that a new one must replace, ascending.
    func lastRoles(of member: MemberID) -> [EventID] { histories[member]?.last ?? [] }

    /// The member's ranks, each with the place in its log after which it applies; before the first its rank is member.
    func steps(of member: MemberID) -> [RankStep] {
        (histories[member]?.steps ?? []).map { RankStep(after: $0.after, rank: $0.level.rank) }
    }

    /// The last place in a log at which its author has at least this level.
    /// - Returns: nil when the author still has it; 0 when it never had it.
    private func lastPlace(of member: MemberID, at least: Level) -> UInt64? {
        if level(of: member, at: .max) >= least { return nil }
        return histories[member]?.steps.last { level(of: member, at: $0.after) >= least }?.after ?? 0
    }

    /// - Returns: the member whose rank this changes.
    private mutating func apply(_ record: ControlRecord, by author: Level, _ roles: RoleEvents) -> MemberID? {
        switch record.body {
        case .role(let role):
            let level = Level(role.rank)
            guard author >= .admin, level < author, role.member != founder, role.member != record.author,
                role.sequence < .max
            else { return nil }
            roles.follow(record.event.id, into: &basis)
            histories[role.member, default: RankHistory()].add(
                RankHistory.Grant(
                    id: record.event.id, author: author, level: level, after: role.sequence,
                    controls: Set(role.controls)))
            return role.member
        case .remove(let remove):
            guard remove.member != founder, remove.member != record.author,
                let last = lastPlace(of: remove.member, at: author)
            else { return nil }
            basis.insert(record.event.id)
            let controls = Set(remove.controls)
            kept[remove.member, default: [:]][author, default: controls].formIntersection(controls)
            // Events that the member wrote while it was out of this author's reach stay.
            let cut = LogEnd(sequence: remove.sequence, named: [remove.last])
            lower(remove.member, to: last < remove.sequence ? cut : LogEnd(sequence: last))
            return nil
        default: return nil
        }
    }

    private mutating func lower(_ member: MemberID, to end: LogEnd) {
        cuts[member, default: end].lower(to: end)
        ends[member, default: end].lower(to: end)
    }

    private static func acts(_ record: ControlRecord) -> Bool {
        switch record.body {
        case .role, .remove: true
        default: false
        }
    }

    /// The role events that one author wrote on one member beyond the first ones of its log: an endless chain of them
    /// would cost every node.
    private static func surplus(_ records: [ControlRecord]) -> Set<EventID> {
        struct Pair: Hashable {
            let author: MemberID
            let member: MemberID
        }
        var written = [Pair: [Event]]()
        for record in records {
            guard case .role(let role) = record.body else { continue }
            written[Pair(author: record.author, member: role.member), default: []].append(record.event)
        }
        var surplus = Set<EventID>()
        for events in written.values where events.count > Limits.rolesOnMemberMax {
            let ordered = events.sorted { ($0.header.sequence, $0.id) < ($1.header.sequence, $1.id) }
            surplus.formUnion(ordered[Limits.rolesOnMemberMax...].map(\.id))
        }
        return surplus
    }
}
