import TourModel
import TourWire

/// What the role and remove events of a set come to: who ranks how where in its log, and where logs end.
/// Source: `Protocol/05-events.md`, "Authority".
///
/// Whoever has the higher level has the first word: nobody changes anything for those at its own level or above, so
/// what a level decides never depends on the levels below it, and the levels can be gone through once, from the top.
struct Authority {
    private let founder: MemberID
    private let forks: [MemberID: UInt64]
    private var grants: [MemberID: [Grant]] = [:]
    /// Where removals end logs; `ends` goes by forks as well.
    private var cuts: [MemberID: LogEnd] = [:]
    private(set) var ends: [MemberID: LogEnd] = [:]
    /// The control events of each removed member that all its removals name, by the level of who removed it.
    private var kept: [MemberID: [Level: Set<[UInt8]>]] = [:]
    /// The role and remove events that stand, and the role events that these replace.
    private(set) var basis = Set<EventID>()

    /// One role event that stands.
    private struct Grant {
        let id: EventID
        let author: Level
        let level: Level
        /// The last place in the member's log that it leaves as it was.
        let after: UInt64
        /// The role events that it replaces, and those that they replaced.
        let replaced: Set<EventID>
        /// How it names the events of the member that it lets stand.
        let controls: Set<[UInt8]>

        /// Whether it lets an event stand that the member wrote at this level. What is behind its place, what is out of
        /// its author's reach, and what the member may do at its new level too, it leaves alone.
        func keeps(_ record: ControlRecord, at level: Level) -> Bool {
            record.event.header.sequence > after || level <= self.level || level >= author
                || controls.contains(record.name)
        }
    }

    /// - Parameter forks: the first place at which each forked log forks.
    init(founder: MemberID, forks: [MemberID: UInt64], records: some Collection<ControlRecord>) {
        self.founder = founder
        self.forks = forks
        ends = forks.mapValues { LogEnd(sequence: $0 - 1) }
        let roles = Self.roles(in: records)
        var open = records.filter(Self.acts)
        for level in Level.acting where !open.isEmpty {
            var acting = [ControlRecord]()
            var later = [ControlRecord]()
            for record in open {
                let isItsTurn = self.level(of: record.author, at: record.event.header.sequence) == level
                if !isItsTurn { later.append(record) } else if counts(record) { acting.append(record) }
            }
            for record in acting { take(record, by: level, roles) }
            open = later
        }
    }

    /// Members whom a role event names that stands: they are members on its word, whatever becomes of their invite.
    var vouched: some Collection<MemberID> { grants.keys }

    var removed: some Collection<MemberID> { kept.keys }

    /// Whether an event is at a place in its log that counts, and is the one that stood there when its author was
    /// removed, or lost its rank: the place alone would let somebody write there later.
    func counts(_ record: ControlRecord) -> Bool {
        let (author, sequence) = (record.author, record.event.header.sequence)
        guard cuts[author]?.reaches(sequence, record.event.id) ?? true else { return false }
        let level = level(of: record)
        let removals = kept[author]?.filter { $0.key > level } ?? [:]
        guard removals.values.allSatisfy({ $0.contains(record.name) }) else { return false }
        // What those above let stand a fork does not undo: who is out could write one at any time.
        if removals.isEmpty, let fork = forks[author], sequence >= fork { return false }
        return grants[author]?.allSatisfy { $0.keeps(record, at: level) } ?? true
    }

    /// Whether the author leads at this place in its log.
    func leads(_ record: ControlRecord) -> Bool { level(of: record) >= .guide }

    func level(of record: ControlRecord) -> Level {
        level(of: record.author, at: record.event.header.sequence)
    }

    /// The level of a member at one place in its log.
    private func level(of member: MemberID, at sequence: UInt64) -> Level {
        if member == founder { return .founder }
        guard let grants = grants[member] else { return .member }
        var counted = [Grant]()
        var level = Level.member
        // From the top; who has a level already is out of the reach of that level and those below it.
        for author in Level.acting where level < author {
            let more = grants.filter { $0.author == author && $0.after < sequence }
            guard !more.isEmpty else { continue }
            counted += more
            level = Self.last(counted).map(\.level).min() ?? level
        }
        return level
    }

    /// The grants that no other replaces.
    private static func last(_ grants: [Grant]) -> [Grant] {
        let replaced = grants.reduce(into: Set<EventID>()) { $0.formUnion($1.replaced) }
        return grants.filter { !replaced.contains($0.id) }
    }

    /// The role events on a member that a new one replaces, ascending.
    func lastRoles(of member: MemberID) -> [EventID] { Self.last(grants[member] ?? []).map(\.id).sorted() }

    /// What a member ranks after which places in its log; before the first it is a member.
    func steps(of member: MemberID) -> [RankStep] {
        anchors(of: member).map { RankStep(after: $0, rank: level(of: member, at: $0 + 1).rank) }
    }

    /// The places in a log after which something changes, ascending; each below the largest number.
    private func anchors(of member: MemberID) -> [UInt64] { Set((grants[member] ?? []).map(\.after)).sorted() }

    /// The last place in a log at which its author has this level or more.
    /// - Returns: nil when it keeps it; 0 when it never had it.
    private func lastPlace(of member: MemberID, at least: Level) -> UInt64? {
        if level(of: member, at: .max) >= least { return nil }
        return anchors(of: member).last { level(of: member, at: $0) >= least } ?? 0
    }

    private mutating func take(_ record: ControlRecord, by author: Level, _ roles: [EventID: ControlBody.Role]) {
        switch record.body {
        case .role(let role):
            let level = Level(role.rank)
            guard author >= .admin, level < author, role.member != founder, role.member != record.author,
                role.sequence < .max
            else { return }
            let replaced = Self.replaced(by: role, among: roles)
            basis.formUnion(replaced.union([record.event.id]))
            grants[role.member, default: []].append(
                Grant(
                    id: record.event.id, author: author, level: level, after: role.sequence, replaced: replaced,
                    controls: Set(role.controls)))
        case .remove(let remove):
            guard remove.member != founder, remove.member != record.author,
                let last = lastPlace(of: remove.member, at: author)
            else { return }
            basis.insert(record.event.id)
            let controls = Set(remove.controls)
            kept[remove.member, default: [:]][author, default: controls].formIntersection(controls)
            // What somebody wrote while out of this author's reach stays.
            let cut = LogEnd(sequence: remove.sequence, named: [remove.last])
            lower(remove.member, to: last < remove.sequence ? cut : LogEnd(sequence: last))
        default: return
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

    private static func roles(in records: some Collection<ControlRecord>) -> [EventID: ControlBody.Role] {
        var roles = [EventID: ControlBody.Role]()
        for record in records {
            if case .role(let role) = record.body { roles[record.event.id] = role }
        }
        return roles
    }

    /// All that a role event replaces, also by way of others on the same member, whether these stand or not.
    private static func replaced(
        by role: ControlBody.Role, among roles: [EventID: ControlBody.Role]
    ) -> Set<EventID> {
        var found = Set<EventID>()
        var open = role.replaces
        while let id = open.popLast() {
            guard let next = roles[id], next.member == role.member, found.insert(id).inserted else { continue }
            open += next.replaces
        }
        return found
    }
}
