import TourCrypto
import TourModel
import TourWire

// The events that end a membership, their authors, and the acts of a member that do not count.
// Source: `Protocol/03-handshake.md`, "Who is out".
extension TourGroup {
    /// The control events that end a member's membership, and those on which these depend, in the tour's order, without
    /// the genesis: all that this node sends to a former member. Empty while it is active.
    package func ending(of member: MemberID) -> [[UInt8]] {
        guard roster.members[member]?.isActive == false else { return [] }
        let genesis = genesisEvent.id
        let basis = controls.values.filter { roster.basis.contains($0.event.id) && $0.event.id != genesis }
        let evidence = forkWatch.signs(of: member)
        var told = basis.filter { evidence.contains($0.event.id) || $0.ends(member) }
        var explained: Set<MemberID> = [roster.creator]
        var open = told.map(\.author)
        while let author = open.popLast() {
            guard explained.insert(author).inserted else { continue }
            let more = explanation(of: author, basis)
            told += more
            open += more.map(\.author)
        }
        let events = Dictionary(told.map { ($0.event.id, $0.event) }) { first, _ in first }
        return events.values.sorted(by: Event.precedes).map(\.bytes)
    }

    /// The events that admitted somebody and gave it its rank.
    private func explanation(of author: MemberID, _ basis: [ControlRecord]) -> [ControlRecord] {
        var found = basis.filter { $0.admits(author) }
        // A fork proof of an author counts although its admission does not: a proof needs no rank.
        if found.isEmpty, let first = controls.values.filter({ $0.admits(author) }).min(by: ControlRecord.precedes) {
            found = [first]
        }
        for record in found {
            guard case .admit(let request) = record.body, let invite = roster.invites[request.invite],
                let event = controls[invite.event]
            else { continue }
            found.append(event)
        }
        return found + basis.filter { $0.ranks(author) }
    }

    /// The member that removed another; of several the first in the tour's order. Nil unless a removal counts.
    package func remover(of member: MemberID) -> MemberID? {
        controls.values.filter { record in
            guard case .remove(let remove) = record.body else { return false }
            return remove.member == member && roster.basis.contains(record.event.id)
        }
        .min(by: ControlRecord.precedes)?.author
    }

    /// A removal, a role or an invite that is held and does not count.
    package struct VoidAct: Sendable {
        /// The event.
        package let event: Event
        /// Its decoded body.
        package let body: ControlBody
    }

    /// The acts of a member that do not count, in the tour's order: a higher member changed its rank or ended its log
    /// without having seen them.
    package func voidActs(of author: MemberID) -> [VoidAct] {
        controls.values
            .filter { $0.author == author && $0.isAct && !roster.basis.contains($0.event.id) }
            .sorted(by: ControlRecord.precedes)
            .map { VoidAct(event: $0.event, body: $0.body) }
    }
}

extension ControlRecord {
    /// Whether it ends this member's membership, whether the member left or was removed.
    fileprivate func ends(_ member: MemberID) -> Bool {
        switch body {
        case .remove(let remove): remove.member == member
        case .leave: author == member
        default: false
        }
    }

    fileprivate func admits(_ member: MemberID) -> Bool { admitted == member }

    fileprivate func ranks(_ member: MemberID) -> Bool {
        guard case .role(let role) = body else { return false }
        return role.member == member
    }

    fileprivate var isAct: Bool {
        switch body {
        case .remove, .role, .invite: true
        default: false
        }
    }
}
