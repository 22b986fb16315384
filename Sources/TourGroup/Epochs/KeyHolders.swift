import TourCrypto
import TourModel
import TourWire

/// The members that may have an epoch's key, and their public keys: what the epochs need from the set of control
/// events.
/// Source: `Protocol/05-events.md`, "Rekey".
package struct KeyHolders: Hashable, Sendable {
    /// Members that have neither left nor been removed.
    package let active: Set<MemberID>
    /// Members whose rekeys count: guides and above that are not removed.
    package let leaders: Set<MemberID>
    /// Removed members: nothing is sealed under a key that one of them can compute alone. Members whose log forks are
    /// not included: anybody can fork its own log, and would keep all others from sealing.
    package let barred: Set<MemberID>
    /// Devices that somebody admitted although their invite was used up, revoked, or void with its author's rank. They
    /// may hold keys.
    package let void: Set<MemberID>
    /// The members that a rekey names: the active ones; if there are more than it holds, those of the highest rank
    /// first and within a rank those admitted first. The others ask for the key.
    package let nameable: Set<MemberID>
    /// Guests, former ones and void devices included: nobody has the private half of their wrapping keys, and the
    /// device that writes for one has the epochs' keys itself. Source: `Protocol/15-seats.md`, "Request".
    package let guests: Set<MemberID>
    /// The level of each member above plain member.
    private let levels: [MemberID: Level]
    /// The ranks of members that led once, by the places in their logs.
    private let former: [MemberID: [RankStep]]
    /// Wrapping keys of present and former members and of void devices, by the sequence of the event that published
    /// them; 0: the key of the admission.
    private let wrappingKeys: [MemberID: [UInt64: WrappingKey]]
    /// The last one in each log.
    private let newest: [MemberID: UInt64]
    /// The roster holds no two members with the same prefix; a void device counts only if no member shares its prefix,
    /// and of several the lowest.
    private let byPrefix: [UInt64: MemberID]

    /// - Parameter wrappingKeys: those of members and of void devices; a void device that shares a prefix is left out.
    package init(
        active: Set<MemberID>, leaders: Set<MemberID>, barred: Set<MemberID>, void: Set<MemberID>,
        wrappingKeys: [MemberID: [UInt64: WrappingKey]]
    ) {
        self.init(
            active: active, leaders: leaders, barred: barred, void: void, wrappingKeys: wrappingKeys,
            nameable: Self.first(active.sorted()), guests: [],
            levels: Dictionary(uniqueKeysWithValues: leaders.map { ($0, .guide) }),
            former: [:])
    }

    private init(
        active: Set<MemberID>, leaders: Set<MemberID>, barred: Set<MemberID>, void: Set<MemberID>,
        wrappingKeys: [MemberID: [UInt64: WrappingKey]], nameable: Set<MemberID>, guests: Set<MemberID>,
        levels: [MemberID: Level], former: [MemberID: [RankStep]]
    ) {
        var byPrefix = [UInt64: MemberID]()
        for member in wrappingKeys.keys where !void.contains(member) { byPrefix[member.prefix] = member }
        for device in void.sorted() where byPrefix[device.prefix] == nil { byPrefix[device.prefix] = device }
        let known = wrappingKeys.filter { byPrefix[$0.key.prefix] == $0.key }
        self.active = active
        self.leaders = leaders
        self.barred = barred
        self.void = void.filter { byPrefix[$0.prefix] == $0 }
        self.byPrefix = byPrefix
        self.wrappingKeys = known
        newest = known.compactMapValues { $0.keys.max() }
        self.nameable = nameable
        self.guests = guests
        self.levels = levels
        self.former = former
    }

    private static func first(_ members: [MemberID]) -> Set<MemberID> {
        Set(members.prefix(Limits.rekeyRecipientsMax))
    }

    init(_ roster: Roster, _ controls: some Collection<ControlRecord>) {
        let active = Set(roster.active.map(\.id))
        let barred = Set(roster.members.values.filter(\.isRemoved).map(\.id))
        var keys = roster.members.mapValues { [UInt64(0): $0.wrappingKey] }
        var void = Set<MemberID>()
        var guests = Set(roster.members.values.filter(\.isGuest).map(\.id))
        let fallen = Self.fallenInvites(roster, controls)
        for record in controls {
            guard case .admit(let request) = record.body, let device = record.admitted else { continue }
            let isEnded = roster.invites[request.invite].map { $0.isRevoked || $0.isUsedUp }
            guard roster.members[device] == nil, isEnded ?? fallen.contains(request.invite) else { continue }
            void.insert(device)
            if request.seatHost(of: record.event.header.tour) != nil { guests.insert(device) }
            keys[device] = [0: min(keys[device]?[0] ?? request.wrappingKey, request.wrappingKey)]
        }
        for record in controls {
            guard case .wrappingKey(let key) = record.body, let known = keys[record.author] else { continue }
            let sequence = record.event.header.sequence
            // Of two keys that one author wrote for one place the lower counts, whichever arrived first.
            keys[record.author]?[sequence] = known[sequence].map { min($0, key) } ?? key
        }
        let ordered = roster.active.sorted {
            ($1.rank.rawValue, $0.admittedAt, $0.id) < ($0.rank.rawValue, $1.admittedAt, $1.id)
        }
        let leading = roster.members.values.filter(\.rank.leads)
        var levels = Dictionary(uniqueKeysWithValues: leading.map { ($0.id, Level($0.rank)) })
        levels[roster.creator] = .founder
        self.init(
            active: active, leaders: Set(leading.lazy.filter { !$0.isRemoved && !$0.isForked }.map(\.id)),
            barred: barred,
            void: void, wrappingKeys: keys, nameable: Self.first(ordered.map(\.id)), guests: guests, levels: levels,
            former: roster.members.compactMapValues { $0.steps.contains(where: \.rank.leads) ? $0.steps : nil })
    }

    /// Whether the key of a rekey at this place in its author's log may be worth holding: the author leads, or led
    /// there.
    func mayLead(_ author: MemberID, at sequence: UInt64) -> Bool {
        leaders.contains(author) || former[author]?.last { $0.after < sequence }?.rank.leads == true
    }

    /// Whether this prefix is that of an active member that this author may not exclude.
    func isActive(_ prefix: UInt64, notBelow author: MemberID) -> Bool {
        guard let member = member(prefix: prefix), active.contains(member) else { return false }
        return (levels[member] ?? .member) >= (levels[author] ?? .member)
    }

    /// Invites that are void by now, of authors that once led: of everybody to whom the founder, or one of these, gave
    /// a leading rank, whether that role event counts or not.
    private static func fallenInvites(
        _ roster: Roster, _ controls: some Collection<ControlRecord>
    ) -> Set<SigningKey> {
        let given = controls.compactMap { record -> (by: MemberID, to: MemberID)? in
            guard case .role(let role) = record.body, role.rank.leads else { return nil }
            return (record.author, role.member)
        }
        var leading: Set<MemberID> = [roster.creator]
        var known = 0
        while known < leading.count {
            known = leading.count
            for rank in given where leading.contains(rank.by) { leading.insert(rank.to) }
        }
        return controls.reduce(into: []) { found, record in
            guard case .invite(let invite) = record.body, roster.invites[invite.key] == nil,
                leading.contains(record.author)
            else { return }
            found.insert(invite.key)
        }
    }

    /// Members that left, were removed or whose log forks, and void devices: they may hold keys and must get no new
    /// ones. A guest holds none, so that an epoch need not follow when it leaves; one that was removed is shut out as
    /// anybody else, since nothing may be sealed before that.
    package var outsiders: Set<MemberID> {
        Set(wrappingKeys.keys).subtracting(active).subtracting(guests.subtracting(barred))
    }

    /// Whether a member gets epochs' keys: those who are active, except guests.
    func getsKeys(_ member: MemberID) -> Bool { active.contains(member) && !guests.contains(member) }

    /// Whether this prefix is that of a former member.
    package func hasGone(_ prefix: UInt64) -> Bool {
        guard let member = member(prefix: prefix) else { return false }
        return !active.contains(member) && !void.contains(member)
    }

    /// Members that may create an epoch now.
    package var rekeyers: Set<MemberID> { leaders.intersection(active) }

    /// The member or void device with this prefix.
    package func member(prefix: UInt64) -> MemberID? { byPrefix[prefix] }

    /// A member's wrapping key by the sequence of the event that published it; 0: that of the admission.
    package func wrappingKey(of member: MemberID, generation: UInt64) -> WrappingKey? {
        wrappingKeys[member]?[generation]
    }

    /// The key that a member published last in its log.
    package func newestKey(of member: MemberID) -> (generation: UInt64, key: WrappingKey)? {
        guard let generation = newest[member], let key = wrappingKeys[member]?[generation] else { return nil }
        return (generation, key)
    }

    /// H("roster-keys", each member's id and wrapping key, concatenated).
    /// - Returns: nil when one of them is not known.
    package func digest(of recipients: [ControlBody.Rekey.Recipient]) -> Bytes32? {
        var joined = [UInt8]()
        joined.reserveCapacity(recipients.count * 2 * Bytes32.count)
        for recipient in recipients {
            guard let member = member(prefix: recipient.member),
                let key = wrappingKey(of: member, generation: recipient.generation)
            else { return nil }
            member.raw.append(to: &joined)
            key.raw.append(to: &joined)
        }
        return Hash.of(.rosterKeys, joined)
    }
}
