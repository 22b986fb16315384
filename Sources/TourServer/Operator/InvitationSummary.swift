import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import TourModel

/// An invitation to a tour as the operator sees it.
package struct InvitationSummary: Encodable, Sendable {
    /// Its number.
    package let id: Int64
    /// The tour's id.
    package let tour: String
    /// The address of the person who is invited.
    @Nullable package var email: String?
    /// The number of the person who is invited.
    @Nullable package var phone: String?
    /// When it was made.
    package let createdAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, tour, email, phone
        case createdAt = "created_at"
    }

    /// The newest first.
    static func all(limit: Int, in sql: any SQL) throws(Failure) -> [InvitationSummary] {
        let found = try sql.rows(
            """
            SELECT invitations.number, invitations.email, invitations.phone, invitations.created_at, tours.id
            FROM invitations JOIN tours ON tours.number = invitations.tour
            ORDER BY invitations.number DESC LIMIT \(limit)
            """, [])
        return try found.map { row throws(Failure) in
            InvitationSummary(
                id: try row.integer(0), tour: Hex.encode(try row.bytes(4)), email: try row.optionalText(1),
                phone: try row.optionalText(2), createdAt: Date(microseconds: try row.integer(3)))
        }
    }
}
