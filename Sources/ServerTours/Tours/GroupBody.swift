import Foundation
import ServerRequests
import TourGroup
import TourModel

/// A tour in the form that clients of the fourth guide read.
/// Contract: `Protocol/Schema/openapi.yaml`.
package struct GroupBody: Encodable {
    /// A member of the tour.
    package struct Row: Encodable {
        let id: String
        /// As its archive reads it; nil where there is none, or the member has not said any.
        @Nullable var name: String?
        /// The member's rank; `successor` for one who took the founder's place.
        package let role: String
        /// Whether the member is still in the tour.
        let isActive: Bool
        let joinedAt: Date
        /// Whether the member is the server's archive, which reads the messages.
        let isArchive: Bool

        /// - Parameter founder: who made the tour; another who ranks as creator is the successor.
        package init(_ member: Member, founder: MemberID, name: String?) {
            id = member.id.hex
            self.name = name
            role = member.rank == .creator && member.id != founder ? "successor" : "\(member.rank)"
            isActive = member.isActive
            joinedAt = Date(microseconds: member.admittedAt.milliseconds * 1_000)
            isArchive = member.isArchive
        }

    }

    let id: String
    let name: String
    /// The member that created the tour; empty for a planned tour.
    let guideId: String
    let isActive: Bool
    let startDate: Date?
    let endDate: Date?
    let lastSyncTime: Date?
    let members: [Row]
    /// The invitation by which an account that is no member sees the tour; the account sees no members then.
    let invitation: Int64?
    /// Whether no device has founded the tour yet.
    let isPlanned: Bool
    /// The id of the plan that this tour has replaced.
    let plannedId: String?

    init(_ access: TourAccess, names: [MemberID: String] = [:]) {
        var invitation: Int64?
        if case .invited(let number) = access.right { invitation = number }
        self.init(access.tour, access.known?.group, invitation: invitation, names: names)
    }

    init(_ tour: StoredTour, _ group: TourGroup?, invitation: Int64? = nil, names: [MemberID: String] = [:]) {
        id = tour.id.hex
        name = tour.name ?? ""
        guideId = group?.roster.creator.hex ?? ""
        isActive = tour.isActive && group?.roster.isClosed != true
        startDate = tour.startDate.map(Date.init(microseconds:))
        endDate = tour.endDate.map(Date.init(microseconds:))
        lastSyncTime = tour.syncedAt.map(Date.init(microseconds:))
        members =
            if let group, invitation == nil {
                Self.members(of: group).map { Row($0, founder: group.roster.creator, name: names[$0.id]) }
            } else {
                []
            }
        self.invitation = invitation
        isPlanned = tour.isPlanned
        plannedId = tour.isPlanned ? nil : tour.plan?.hex
    }

    /// The members in the order of their admission.
    static func members(of group: TourGroup) -> [Member] {
        group.roster.members.values.sorted { ($0.admittedAt.value, $0.id) < ($1.admittedAt.value, $1.id) }
    }

    private enum CodingKeys: CodingKey {
        case id, name, guideId, isActive, startDate, endDate, lastSyncTime, members, invitation, isPlanned, plannedId
    }

    /// Encodes absent values as null, but omits `invitation` and `plannedId` where there is none, and `isPlanned` where
    /// it is false.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(guideId, forKey: .guideId)
        try container.encode(isActive, forKey: .isActive)
        try container.encode(startDate, forKey: .startDate)
        try container.encode(endDate, forKey: .endDate)
        try container.encode(lastSyncTime, forKey: .lastSyncTime)
        try container.encode(members, forKey: .members)
        try container.encodeIfPresent(invitation, forKey: .invitation)
        if isPlanned { try container.encode(true, forKey: .isPlanned) }
        try container.encodeIfPresent(plannedId, forKey: .plannedId)
    }
}
