import TourModel
import TourWire

/// How much is held of what nobody needs, by members without a rank and by *guests*: devices that an admission makes
/// known and that are in no roster. A member makes as many guests as it likes, and they make others: all that stand
/// below one member count with it, their *host*. Source: `Protocol/05-events.md`, "Share".
///
/// A function of the set of control events and of its roster: whichever came first, the same are left.
struct HostShares {
    private let controls: [EventID: ControlRecord]
    private let members: Set<MemberID>
    private let ranked: Set<MemberID>
    /// How the guests are known, and below which member each stands.
    private let introductions: Introductions?

    /// - Parameter ranked: to whom somebody ever gave a rank.
    init(members: Set<MemberID>, ranked: Set<MemberID>, controls: [EventID: ControlRecord]) {
        self.controls = controls
        self.members = members
        self.ranked = ranked
        let isOfMembersOnly = controls.values.allSatisfy { members.contains($0.author) }
        introductions = isOfMembersOnly ? nil : Introductions(from: members, controls.values)
    }

    /// The events that are held no more.
    /// - Parameter own: what the control events of a member itself take, in bytes.
    /// - Parameter isNeeded: whether the roster or the epochs rest on an event: these stay, and with them the
    /// admissions by which their authors are known.
    func excess(beside own: (MemberID) -> Int, isNeeded: (ControlRecord) -> Bool) -> Set<EventID> {
        var needed = [ControlRecord]()
        var needless = [MemberID: [Entry]]()
        var neededBytes = [MemberID: Int]()
        for record in controls.values {
            guard !isNeeded(record) else {
                needed.append(record)
                continue
            }
            guard let (host, depth) = place(of: record.author), depth > 0 || isLimited(record, of: host) else {
                continue
            }
            needless[host, default: []].append(Entry(rank: depth, record: record))
        }
        let explained = introductions?.explained(needed.filter { !members.contains($0.author) }) ?? []
        for record in explained.compactMap({ controls[$0] }) {
            guard let (host, depth) = place(of: record.author), depth > 0 else { continue }
            neededBytes[host, default: 0] += record.event.bytes.count
        }
        var excess = Set<EventID>()
        var plain = [Held]()
        for (host, entries) in needless {
            let isPlain = !ranked.contains(host)
            let share = isPlain ? Limits.plainControlBytesMax : Limits.controlLogBytesMax
            var size = isPlain ? 0 : own(host) + neededBytes[host, default: 0]
            for entry in entries.sorted() where !explained.contains(entry.record.event.id) {
                let event = entry.record.event
                guard size < share else {
                    excess.insert(event.id)
                    continue
                }
                if isPlain { plain.append(Held(before: size, host: host, id: event.id, bytes: event.bytes.count)) }
                size += event.bytes.count
            }
        }
        // A part of each in turn: one who writes much keeps out nothing of those who write little.
        var size = 0
        for held in plain.sorted() {
            if size >= Limits.plainControlBytesOfTourMax { excess.insert(held.id) }
            size += held.bytes
        }
        return excess
    }

    /// What is within its host's share, and how many bytes of the same host come before it.
    private struct Held: Comparable {
        let before: Int
        let host: MemberID
        let id: EventID
        let bytes: Int

        static func < (left: Held, right: Held) -> Bool {
            (left.before, left.host, left.id) < (right.before, right.host, right.id)
        }
    }

    /// - Returns: below which member a device stands, and with how many admissions between; 0: it is the member.
    private func place(of author: MemberID) -> (host: MemberID, depth: Int)? {
        if members.contains(author) { return (author, 0) }
        return introductions?.places[author].map { ($0.root, $0.depth) }
    }

    /// Whether a member's own event is bounded here. Those of members with a rank their log's share bounds, and their
    /// wrapping keys are few anyway.
    private func isLimited(_ record: ControlRecord, of host: MemberID) -> Bool {
        if case .wrappingKey = record.body { return false }
        return !ranked.contains(host)
    }

    /// The host's own come first; an admission stands before what the device wrote that it makes known.
    private struct Entry: Comparable {
        let rank: Int
        let record: ControlRecord

        static func < (left: Entry, right: Entry) -> Bool {
            if left.rank != right.rank { return left.rank < right.rank }
            let (first, second) = (left.record, right.record)
            if first.author != second.author { return first.author < second.author }
            return (first.event.header.sequence, first.event.id) < (second.event.header.sequence, second.event.id)
        }

        static func == (left: Entry, right: Entry) -> Bool { left.record.event.id == right.record.event.id }
    }
}
