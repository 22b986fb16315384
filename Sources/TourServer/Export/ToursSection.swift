import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import ServerTours
import TourGroup
import TourModel

/// The tours of an account in an export: its right to each and, where it is a member, what the server has of that
/// member.
struct ToursSection: Sendable {
    let account: Account
    let source: ExportSource
    let rosters: TourRosters
    let secret: ServerSecret

    private struct Body: Encodable, Sendable {
        let id: String
        /// The name that its account gave it here; nil, as all that follows of the tour, for a former member.
        let name: String?
        let right: String
        let memberId: String?
        /// The member's rank in the tour.
        let role: String?
        let isActive: Bool?
        let isPlanned: Bool
        let startDate: Date?
        let endDate: Date?
        let createdAt: Date
        /// Whether the server reads along.
        let hasArchive: Bool?

        private enum CodingKeys: String, CodingKey {
            case id, name, right, memberId, role, isActive, isPlanned, startDate, endDate, hasArchive
            case createdAt = "created_at"
        }
    }

    /// A sealed file of a tour, which the server cannot open.
    private struct Upload: Encodable, Sendable {
        /// The name by which members ask for it.
        let hash: String
        let bytes: Int64
        let isWhole: Bool
    }

    /// One tour as it was read.
    private struct Found: Sendable {
        let tour: StoredTour
        let member: MemberID?
        let archive: StoredArchive?
    }

    /// The standing of an account in a tour.
    private static func name(of right: TourAccess.Right?) -> String {
        switch right {
        case .keeper: "keeper"
        case .member: "member"
        case .colleague: "colleague"
        case .invited: "invited"
        case nil: "former"
        }
    }

    func write(to out: inout ExportWriter) async throws {
        let (account, secret) = (account, secret)
        let tours = try await source.read { sql throws(Failure) in
            try TourRows(sql: sql).tours(of: account).map(\.number)
        }
        for number in tours {
            let found = try await source.read { sql throws(Failure) -> Found? in
                // It may have been deleted since.
                guard let tour = try TourRows(sql: sql).tour(number: number) else { return nil }
                return Found(
                    tour: tour, member: try SeatRows(sql: sql).member(of: account, in: tour),
                    archive: try ArchiveRows(sql: sql).archive(of: tour, secret))
            }
            if let found { try await write(found, to: &out) }
        }
    }

    private func write(_ found: Found, to out: inout ExportWriter) async throws {
        let (tour, account) = (found.tour, account)
        let group =
            tour.isPlanned
            ? nil : try await rosters.read(tour.id) { _, _, known throws(Failure) in known }
        let right = try await source.read { sql throws(Failure) in
            try TourAccess.of(account, to: tour, group, in: sql)?.right
        }
        let member = found.member.flatMap { group?.group.roster.members[$0] }
        let role = member.flatMap { member in
            group.map { GroupBody.Row(member, founder: $0.group.roster.creator, name: nil).role }
        }
        let folder = "tours/\(tour.id.hex)"
        // Others have said since what the server shows of a tour whose member is out.
        let shown = right == nil ? nil : tour
        try await out.add(
            folder + "/tour.json",
            json: Body(
                id: tour.id.hex, name: shown?.name, right: Self.name(of: right), memberId: found.member?.hex,
                role: role, isActive: shown?.isActive, isPlanned: tour.isPlanned,
                startDate: shown?.startDate.map(Date.init(microseconds:)),
                endDate: shown?.endDate.map(Date.init(microseconds:)),
                createdAt: Date(microseconds: tour.createdAt), hasArchive: shown.map { _ in found.archive != nil }))
        guard let member else { return }
        try await writeUploads(of: member.id, in: tour, folder, to: &out)
        // Where the member or the archive is out, the server opens nothing for the account elsewhere either.
        guard let group = group?.group, let archive = found.archive, member.isActive, archive.isActive(in: group) else {
            return
        }
        try await writeMessages(of: member.id, in: tour, archive.opening(group), folder, to: &out)
    }

    private func writeUploads(
        of member: MemberID, in tour: StoredTour, _ folder: String, to out: inout ExportWriter
    ) async throws {
        let (source, limit) = (source, ServerLimits.exportRowsAtOnce)
        var last: [UInt8]? = []
        try await out.add(list: folder + "/uploads") { () async throws -> [Upload]? in
            guard let behind = last else { return nil }
            let rows = try await source.read { sql throws(Failure) in
                try sql.rows(
                    """
                    SELECT hash, bytes, is_whole FROM blobs WHERE tour = $1 AND member = $2 AND hash > $3
                    ORDER BY hash LIMIT \(limit)
                    """, [.integer(tour.number), .bytes(member.bytes), .bytes(behind)])
            }
            last = rows.count == limit ? try rows.last?.bytes(0) : nil
            return try rows.map { row throws(Failure) in
                Upload(
                    hash: Hex.encode(try row.bytes(0)), bytes: try row.count(1), isWhole: try row.integer(2) != 0)
            }
        }
    }

    private func writeMessages(
        of member: MemberID, in tour: StoredTour, _ group: TourGroup, _ folder: String, to out: inout ExportWriter
    ) async throws {
        let source = source
        var reader = MessageReader(group: group, withdrawals: [])
        var place: Int64? = 0
        while let behind = place {
            let page = try await source.read { sql throws(Failure) in
                try AuthoredEvents(sql: sql).page(of: member, in: tour, [.profile], behind: behind)
            }
            reader.add(withdrawals: page.messages.map(\.event))
            place = page.next
        }
        let opened = reader
        place = 0
        try await out.add(list: folder + "/messages") { () async throws -> [ArchivedMessage]? in
            guard let behind = place else { return nil }
            let page = try await source.read { sql throws(Failure) in
                try AuthoredEvents(sql: sql).page(
                    of: member, in: tour, [.announcement, .chat, .file], behind: behind)
            }
            place = page.next
            return page.messages.compactMap(opened.message)
        }
    }
}
