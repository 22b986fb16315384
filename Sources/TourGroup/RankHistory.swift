import TourModel
import TourWire

/// The role events of a set, and what each of them replaces.
struct RoleEvents {
    private let roles: [EventID: ControlBody.Role]
    private let effort: Effort

    init(_ records: some Collection<ControlRecord>, _ effort: Effort) {
        var roles = [EventID: ControlBody.Role]()
        for record in records {
            if case .role(let role) = record.body { roles[record.event.id] = role }
        }
        self.roles = roles
        self.effort = effort
    }

    /// Adds a role event, all that it replaces and what these replace, as far as they are on the same member and
    /// whether they stand or not. What is found already has been followed, so that a chain costs each of its links
    /// once.
    /// - Parameter see: told of each that is new.
    func follow(_ id: EventID, into found: inout Set<EventID>, _ see: (EventID) -> Void = { _ in }) {
        guard let member = roles[id]?.member else { return }
        var open = [id]
        while let id = open.popLast() {
            effort.spend()
            guard let role = roles[id], role.member == member, found.insert(id).inserted else { continue }
            see(id)
            open += role.replaces
        }
    }

    /// What a role event replaces itself, on whatever member.
    func replaced(by id: EventID) -> [EventID] { roles[id]?.replaces ?? [] }

    func isOn(_ member: MemberID, _ id: EventID) -> Bool { roles[id]?.member == member }
}

/// What one member ranks after which places in its log, by the role events on it that stand.
/// Source: `Protocol/05-events.md`, "Levels".
struct RankHistory {
    /// One role event that stands.
    struct Grant {
        let id: EventID
        let author: Level
        let level: Level
        /// The last place in the member's log that it leaves as it was.
        let after: UInt64
        /// How it names the events of the member that it lets stand.
        let controls: Set<EventName>

        /// Whether it lets an event stand that the member wrote at this level. What is behind its place, what is out of
        /// its author's reach, and what the member may do at its new level too, it leaves alone.
        func keeps(_ record: ControlRecord, at level: Level) -> Bool {
            record.event.header.sequence > after || level <= self.level || level >= author
                || controls.contains(record.name)
        }
    }

    private var grants: [Grant] = []
    /// The places after which something changes, ascending, each below the largest number, and the level from there on.
    private(set) var steps: [(after: UInt64, level: Level)] = []
    /// The role events on the member that a new one replaces, ascending.
    private(set) var last: [EventID] = []

    mutating func add(_ grant: Grant) { grants.append(grant) }

    /// Works out the levels anew, after all were added that one level gives.
    mutating func settle(of member: MemberID, _ roles: RoleEvents) {
        grants.sort { ($0.after, $0.id) < ($1.after, $1.id) }
        // Those by the highest level alone, by the two highest, and by all three that give ranks.
        var standing = [Standing](repeating: Standing(member), count: Self.givers.count)
        steps = []
        for grant in grants {
            for index in Self.givers.indices where grant.author >= Self.givers[index] {
                standing[index].add(grant, roles)
            }
            // Who has a level already is out of the reach of that level and those below it.
            var level = Level.member
            for (giver, given) in zip(Self.givers, standing) where level < giver { level = given.lowest ?? level }
            if steps.last?.after == grant.after { steps.removeLast() }
            steps.append((grant.after, level))
        }
        last = standing[Self.givers.count - 1].last
    }

    /// The level at a place in the log.
    func level(at sequence: UInt64) -> Level {
        // The first step that does not reach the place, by halves.
        var (low, high) = (0, steps.count)
        while low < high {
            let middle = (low + high) / 2
            if steps[middle].after < sequence { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? .member : steps[low - 1].level
    }

    /// Whether every role event that stands lets this one of the member's stand, written at this level.
    func keeps(_ record: ControlRecord, at level: Level, _ effort: Effort) -> Bool {
        // Nobody has less.
        guard level > .member else { return true }
        effort.spend(grants.count)
        return grants.allSatisfy { $0.keeps(record, at: level) }
    }

    /// Those who give ranks, the first word first.
    private static let givers = Level.acting.filter { $0 >= .admin }

    /// Some grants, and which of them no other of them replaces.
    private struct Standing {
        private let member: MemberID
        private var replaced = Set<EventID>()
        private var unreplaced: [EventID: Level] = [:]
        private var counts = [Int](repeating: 0, count: Int(Level.founder.rawValue) + 1)

        init(_ member: MemberID) { self.member = member }

        mutating func add(_ grant: Grant, _ roles: RoleEvents) {
            if !replaced.contains(grant.id) {
                unreplaced[grant.id] = grant.level
                counts[Int(grant.level.rawValue)] += 1
            }
            var gone = [EventID]()
            for id in roles.replaced(by: grant.id) where roles.isOn(member, id) {
                roles.follow(id, into: &replaced) { gone.append($0) }
            }
            for id in gone {
                guard let level = unreplaced.removeValue(forKey: id) else { continue }
                counts[Int(level.rawValue)] -= 1
            }
        }

        var lowest: Level? { counts.firstIndex { $0 > 0 }.flatMap { Level(rawValue: UInt8($0)) } }
        var last: [EventID] { unreplaced.keys.sorted() }
    }
}
