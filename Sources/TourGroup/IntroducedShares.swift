import TourModel
import TourWire

/// Limits the needless control events held of unranked members and of *introduced* ones: devices that an admission
/// makes known and that are in no roster. A member can create any number of such devices, and these can create others:
/// all such devices below one member, their *introducer*, count with it. Source: `Protocol/05-events.md`, "Share".
///
/// A function of the set of control events and its roster: the same events remain, whichever arrived first.
struct IntroducedShares {
    private let controls: [EventID: ControlRecord]
    private let members: Set<MemberID>
    private let ranked: Set<MemberID>
    /// The admissions that introduce such devices, and the introducer of each.
    private let introductions: Introductions?

    /// - Parameter ranked: members to whom anybody ever gave a rank.
    init(members: Set<MemberID>, ranked: Set<MemberID>, controls: [EventID: ControlRecord]) {
        self.controls = controls
        self.members = members
        self.ranked = ranked
        let isOfMembersOnly = controls.values.allSatisfy { members.contains($0.author) }
        introductions = isOfMembersOnly ? nil : Introductions(from: members, controls.values)
    }

    /// The events to drop.
    /// - Parameter own: the bytes of a member's own control events.
    /// - Parameter isNeeded: whether the roster or the epochs depend on an event: such events stay, and with them the
    ///   admissions that introduce their authors.
    func excess(beside own: (MemberID) -> Int, isNeeded: (ControlRecord) -> Bool) -> Set<EventID> {
        var needed = [ControlRecord]()
        var needless = [MemberID: [Entry]]()
        var neededBytes = [MemberID: Int]()
        for record in controls.values {
            guard !isNeeded(record) else {
                needed.append(record)
                continue
            }
            guard let (introducer, depth) = place(of: record.author), depth > 0 || isLimited(record, of: introducer)
            else {
                continue
            }
            needless[introducer, default: []].append(Entry(rank: depth, record: record))
        }
        let explained = introductions?.explained(needed.filter { !members.contains($0.author) }) ?? []
        for record in explained.compactMap({ controls[$0] }) {
            guard let (introducer, depth) = place(of: record.author), depth > 0 else { continue }
            neededBytes[introducer, default: 0] += record.event.bytes.count
        }
        var excess = Set<EventID>()
        var plain = [Held]()
        for (introducer, entries) in needless {
            let isPlain = !ranked.contains(introducer)
            let share = isPlain ? Limits.plainControlBytesMax : Limits.controlLogBytesMax
            var size = isPlain ? 0 : own(introducer) + neededBytes[introducer, default: 0]
            for entry in entries.sorted() where !explained.contains(entry.record.event.id) {
                let event = entry.record.event
                guard size < share else {
                    excess.insert(event.id)
                    continue
                }
                if isPlain {
                    plain.append(Held(before: size, introducer: introducer, id: event.id, bytes: event.bytes.count))
                }
                size += event.bytes.count
            }
        }
        // A part of each introducer in turn: one that writes much displaces nothing of those that write little.
        var size = 0
        for held in plain.sorted() {
            if size >= Limits.plainControlBytesOfTourMax { excess.insert(held.id) }
            size += held.bytes
        }
        return excess
    }

    /// An event within its introducer's share, with the number of bytes of the same introducer before it.
    private struct Held: Comparable {
        let before: Int
        let introducer: MemberID
        let id: EventID
        let bytes: Int

        static func < (left: Held, right: Held) -> Bool {
            (left.before, left.introducer, left.id) < (right.before, right.introducer, right.id)
        }
    }

    /// - Returns: the introducer of a device, and the number of admissions between the two; 0 for the member itself.
    private func place(of author: MemberID) -> (introducer: MemberID, depth: Int)? {
        if members.contains(author) { return (author, 0) }
        return introductions?.places[author].map { ($0.root, $0.depth) }
    }

    /// Whether this type limits a member's own event. The log's share limits the events of ranked members, and wrapping
    /// keys are few anyway.
    private func isLimited(_ record: ControlRecord, of introducer: MemberID) -> Bool {
        if case .wrappingKey = record.body { return false }
        return !ranked.contains(introducer)
    }

    /// The introducer's own events come first; an admission comes before the events of the device that it introduces.
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
