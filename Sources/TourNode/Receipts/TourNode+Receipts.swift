import TourAPI
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore

// Which members have a message, and which have read it. Shapes: `Protocol/Schema/local-api.yaml`.
extension TourNode {
    /// The receipts of everybody who was a member at the message's place in the tour's order and still is, its author
    /// apart.
    package func receipts(_ idPrefix: String, in tour: String?) throws -> MessageReceipts {
        let session = try session(tour)
        let view = session.view(store)
        let stored = try view.event(idPrefix: idPrefix)
        let header = stored.event.header
        let (now, wall) = (NodeClock.now, NodeClock.wallMicroseconds)
        let linked = Set(session.gossip.neighbours.values)
        let roster = session.group.roster
        guard roster.members[header.author]?.reaches(header.sequence, stored.event.id) != false else {
            return MessageReceipts(
                id: stored.event.id.hex, status: .failed, members: [],
                isAfterEnd: true)
        }
        let members = session.readers(of: stored.event).map { member in
            Receipts.Entry(
                memberID: member.id.hex, name: view.distinctName(of: member.id),
                receipt: session.machine.receipts.state.receipt(of: header, for: member.id, storedAt: stored.receivedAt)
                    .known(by: wall),
                understood: session.urgent.understood(stored.event.id, by: member.id),
                hops: session.hops(to: member.id, linked: linked), near: session.isReachable(member.id, now: now),
                by: GuestHost(of: member.id, in: session, view))
        }
        return MessageReceipts(
            id: stored.event.id.hex, status: session.machine.receipts.state.status(of: stored.event), members: members,
            isUrgent: session.urgent.entries.contains { $0.id == stored.event.id })
    }

    /// How many messages one call may ask about.
    package static let countedMax = 100

    /// How many members have each of these messages, and how many have read it.
    /// - Parameter ids: whole ids; ids of no message in the tour are left out.
    /// - Throws: `bad-request` for more than `countedMax`, or for a malformed id.
    package func receiptCounts(_ ids: [String], in tour: String?) throws -> [String: Receipts.Counts] {
        guard ids.count <= Self.countedMax, ids.allSatisfy({ EventID(hex: $0) != nil }) else {
            throw NodeError.message(.badIDs(max: Self.countedMax))
        }
        var counts: [String: Receipts.Counts] = [:]
        let session = try session(tour)
        let (view, roster) = (session.view(store), session.group.roster)
        for id in ids {
            guard let stored = try? view.event(idPrefix: id) else { continue }
            let header = stored.event.header
            guard roster.members[header.author]?.reaches(header.sequence, stored.event.id) != false else { continue }
            let people = session.readers(of: stored.event)
            let states = people.map {
                session.machine.receipts.state.receipt(of: header, for: $0.id, storedAt: 0).state
            }
            let isUrgent = session.urgent.entries.contains { $0.id == stored.event.id }
            counts[id] = Receipts.Counts(
                members: people.count, delivered: states.count { $0 != .missing }, read: states.count { $0 == .read },
                understood: isUrgent
                    ? people.count { session.urgent.understood(stored.event.id, by: $0.id) != nil } : nil)
        }
        return counts
    }

    /// Pushes a message again to every neighbour that is not known to have it.
    /// - Returns: its receipts, as far as known now.
    package func resend(_ idPrefix: String, in tour: String?) throws -> MessageReceipts {
        let session = try session(tour)
        let stored = try session.view(store).event(idPrefix: idPrefix)
        feed(session, .resend(stored.event, hops: stored.hops))
        return try receipts(stored.event.id.hex, in: session.tour.hex)
    }
}

extension TourSession {
    /// Everybody who should have a message: of a word between one person and the guides those who may read it.
    func readers(of event: Event) -> [Member] {
        let readers = group.roster.readers(of: event.header)
        guard let word = asides.word(of: event.id) else { return readers }
        return readers.filter { group.mayRead(word, by: event.header.author, $0.id) }
    }
}

/// The receipts of one message: first members who miss it, then those who have it, then those who have read it, each
/// by name.
package struct MessageReceipts: Sendable {
    package var id: String
    /// How far the message has come.
    package var status: MessageStatus
    package var counts: Receipts.Counts
    /// Names of the members who miss it.
    package var missing: [String]
    /// Every member that should have the message.
    package var members: [Receipts.Entry]
    /// Whether the message does not count, since its author's log ends before it.
    package var isAfterEnd: Bool

    package init(
        id: String, status: MessageStatus, members: [Receipts.Entry], isUrgent: Bool = false, isAfterEnd: Bool = false
    ) {
        let order: [Receipt.State] = [.missing, .delivered, .read]
        let groups = order.map { state in
            members.filter { $0.state == state.rawValue }.sorted { ($0.name, $0.memberID) < ($1.name, $1.memberID) }
        }
        self.id = id
        self.status = status
        self.isAfterEnd = isAfterEnd
        self.members = groups.flatMap { $0 }
        missing = groups[0].map(\.name)
        counts = Receipts.Counts(
            members: members.count, delivered: members.count - groups[0].count, read: groups[2].count,
            understood: isUrgent ? members.count { $0.understood != nil } : nil)
    }
}

extension Receipts.Entry {
    package init(
        memberID: String, name: String, receipt: Receipt, understood: LogicalClock? = nil, hops: Int?, near: Bool,
        by: GuestHost? = nil
    ) {
        func moment(_ time: Int64?) -> Receipts.Moment {
            Receipts.Moment(atMost: time.map { Timestamp.text(microseconds: $0) })
        }
        self.init(
            memberID: memberID, name: name, state: receipt.state.rawValue,
            delivered: receipt.state == .missing ? nil : moment(receipt.deliveredAtMost),
            read: receipt.state == .read ? moment(receipt.readAtMost) : nil,
            understood: understood.map { Timestamp.text(milliseconds: $0.milliseconds) }, hops: hops, near: near,
            by: by)
    }
}
