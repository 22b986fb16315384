import TourModel
import TourWire

/// Acts that need a rank, by authors to whom nobody gave one: they have no effect, and stay out of the set. A member
/// can write any number of them. Source: `Protocol/05-events.md`, "Share".
///
/// A rank may become known here after acts that needed it, so a few wait; if more arrived of an author, that is
/// remembered: these are in the author's log.
struct UnrankedActs: Sendable {
    /// The founder, and everybody to whom one of these gave a leading rank, whether that role event counts or not:
    /// every member that any part of the set puts above plain member is one of them.
    private(set) var ranked: Set<MemberID> = []
    private var acts: [MemberID: [EventID: RawEvent]] = [:]
    private var count = 0
    private var forgotten: Set<MemberID> = []
    /// Authors that have a rank now and whose acts are partly missing.
    private var missing: Set<MemberID> = []

    /// More acts than any member writes before others learn of its rank.
    private static let ofAuthorMax = 64
    private static let allMax = 1_024

    /// - Returns: the acts that waited for this member's rank.
    @discardableResult
    mutating func rank(_ member: MemberID) -> [EventID: RawEvent] {
        guard ranked.insert(member).inserted else { return [:] }
        if forgotten.remove(member) != nil { missing.insert(member) }
        let waited = acts.removeValue(forKey: member) ?? [:]
        count -= waited.count
        return waited
    }

    /// Returns the authors whose acts must be read from their logs, since not all of them waited here.
    mutating func drainMissing() -> Set<MemberID> {
        defer { missing = [] }
        return missing
    }

    /// - Returns: whether an event needs a rank that its author never had; such an event then waits here.
    mutating func keepsOut(_ record: ControlRecord) -> Bool {
        guard record.body.takesRank, !ranked.contains(record.author) else { return false }
        guard let raw = try? RawEvent(decoding: record.event.bytes) else { return true }
        keep(raw, record.event.id)
        return true
    }

    /// The same for an event whose signature is not verified; it is not kept here yet.
    func isOne(_ raw: RawEvent) -> Bool {
        !ranked.contains(raw.header.author) && (try? ControlBody(decoding: raw.body))?.takesRank == true
    }

    /// Keeps these waiting, as far as there is room.
    mutating func keep(_ acts: [EventID: RawEvent]) {
        for (id, raw) in acts.sorted(by: { $0.key < $1.key }) { keep(raw, id) }
    }

    private mutating func keep(_ raw: RawEvent, _ id: EventID) {
        let author = raw.header.author
        guard acts[author]?[id] == nil else { return }
        guard count < Self.allMax, acts[author, default: [:]].count < Self.ofAuthorMax else {
            if forgotten.count < Limits.membersEverMax { forgotten.insert(author) }
            return
        }
        acts[author, default: [:]][id] = raw
        count += 1
    }
}

extension ControlBody {
    /// Whether it has no effect unless its author leads.
    fileprivate var takesRank: Bool {
        switch self {
        case .invite, .revoke, .role, .remove, .rekey, .close: true
        case .genesis, .admit, .leave, .fork, .wrappingKey, .unknown: false
        }
    }
}
