import TourAPI
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

// Urgent announcements stay until members confirm them. Source: `Protocol/05-events.md`, "Urgent announcements".
extension TourNode {
    /// The urgent announcements of the last day that stand, the newest first; none in a tour that has ended. Those from
    /// before this node's member came in ask nothing of it, and are left out.
    package func urgent(_ tour: String?) throws -> [UrgentView] {
        let session = try session(tour)
        return urgent(for: session.own, in: session)
    }

    /// The same for one of its guests; what is said of this node's member is not the guest's.
    func urgent(for reader: MemberID, in session: TourSession) -> [UrgentView] {
        guard session.isActive else { return [] }
        let view = session.view(store)
        let wall = NodeClock.wallMilliseconds
        let roster = session.group.roster
        let standing = session.urgent.entries.filter { entry in
            session.isRecent(entry.header.clock, of: entry.header.author)
                && entry.announcement.expiresAt.map { $0 > wall } ?? true
                && roster.members[reader].map { $0.admittedAt <= entry.header.clock } ?? true
        }
        return standing.reversed().map { entry in
            let author = entry.header.author
            let people = roster.readers(of: entry.header)
            let (sure, waiting) = people.reduce(into: (0, [String]())) { found, one in
                if session.urgent.understood(entry.id, by: one.id) != nil {
                    found.0 += 1
                } else {
                    found.1.append(view.distinctName(of: one.id))
                }
            }
            return UrgentView(
                id: entry.id.hex, memberID: author.hex, name: view.distinctName(of: author),
                mine: author == session.own, text: entry.announcement.text,
                at: Timestamp.text(milliseconds: entry.header.clock.milliseconds),
                understood: session.urgent.understood(entry.id, by: session.own) != nil,
                understoodBy: sure, members: people.count, waiting: waiting.sorted())
        }
    }

    /// Gives the answer that a message asks for: "here" for a roll call, "understood" for an announcement.
    /// - Throws: as `answerRoll` and `understand`.
    package func answer(_ id: String, in tour: String?) async throws {
        let session = try session(tour)
        if session.rolls.rolls.contains(where: { $0.calls.contains { $0.place.id.hex == id } }) {
            // Another roll call may have begun since.
            guard try roll(tour)?.calls.contains(id) == true else { throw NodeError.roll(.none) }
            _ = try await answerRoll(here: true, of: [], in: tour)
        } else {
            try await understand(id, in: tour)
        }
    }

    /// Confirms that this node's member has read and understood an urgent announcement.
    /// - Throws: `unknown-message`, `not-urgent`, and why nothing can be written to the tour.
    package func understand(_ idPrefix: String, in tour: String?) async throws {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        let id = try session.view(store).event(idPrefix: idPrefix).event.id
        guard let entry = session.urgent.entries.first(where: { $0.id == id }) else {
            throw NodeError.message(.notUrgent)
        }
        guard entry.header.author != session.own, session.urgent.understood(id, by: session.own) == nil else { return }
        try await write(content: .understood(id), in: session)
    }
}
