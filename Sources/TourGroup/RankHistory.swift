import TourModel
import TourWire

/// The role events of a set, and the events that each replaces.
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

    /// Adds a role event, all that it replaces and all that these replace, as far as they concern the same member,
    /// whether they count or not. An event already found has been followed, so that each link of a chain costs only
    /// once.
    /// - Parameter see: called for each new one.
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

    /// The events that a role event itself replaces, on any member.
    func replaced(by id: EventID) -> [EventID] { roles[id]?.replaces ?? [] }

    func isOn(_ member: MemberID, _ id: EventID) -> Bool { roles[id]?.member == member }
}

/// One member's levels by places in its log, from the role events on it that count.
/// Source: `Protocol/05-events.md`, "Levels".
struct RankHistory {
    /// One role event that counts.
    struct Grant {
        let id: EventID
        let author: Level
        let level: Level
        /// The last place in the member's log that it does not affect.
        let after: UInt64
        /// The names of the member's events that it lets stand.
        let controls: Set<EventName>

        /// Whether it lets an event stand that the member wrote at this level. It leaves alone events behind its place,
        /// out of its author's reach, or within the member's new level.
        func keeps(_ record: ControlRecord, at level: Level) -> Bool {
            record.event.header.sequence > after || level <= self.level || level >= author
                || controls.contains(record.name)
        }
    }

    private var grants: [Grant] = []
    /// The places after which the level changes, ascending, each below the largest number, and the level from there on.
    private(set) var steps: [(after: UInt64, level: Level)] = []
    /// The role events on the member that a new one must replace, ascending.
    private(set) var last: [EventID] = []

    mutating func add(_ grant: Grant) { grants.append(grant) }

    /// Recomputes the levels after all grants of one level were added.
    mutating func settle(of member: MemberID, _ roles: RoleEvents) {
        grants.sort { ($0.after, $0.id) < ($1.after, $1.id) }
        // The grants of the highest level alone, of the two highest, and of all three that give ranks.
        var standing = [Standing](repeating: Standing(member), count: Self.givers.count)
        steps = []
        for grant in grants {
            for index in Self.givers.indices where grant.author >= Self.givers[index] {
                standing[index].add(grant, roles)
            }
            // A member that already has a level is out of reach of that level and those below it.
            var level = Level.member
            for (giver, given) in zip(Self.givers, standing) where level < giver { level = given.lowest ?? level }
            if steps.last?.after == grant.after { steps.removeLast() }
            steps.append((grant.after, level))
        }
        last = standing[Self.givers.count - 1].last
    }

    /// The level at a place in the log.
    func level(at sequence: UInt64) -> Level {
        // Binary search for the first step that does not reach the place.
        var (low, high) = (0, steps.count)
        while low < high {
            let middle = (low + high) / 2
            if steps[middle].after < sequence { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? .member : steps[low - 1].level
    }

    /// Whether every role event that counts lets this event of the member stand, written at this level.
    func keeps(_ record: ControlRecord, at level: Level, _ effort: Effort) -> Bool {
        // No level is lower.
        guard level > .member else { return true }
        effort.spend(grants.count)
        return grants.allSatisfy { $0.keeps(record, at: level) }
    }

    /// The levels that give ranks, the highest first.
    private static let givers = Level.acting.filter { $0 >= .admin }

    /// Some grants, and those of them that no other replaces.
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
