import Foundation
import TourModel

/// The word of somebody who leads a tour that whoever has this address or number may see that the tour is there.
/// It opens nothing: into the tour one comes by its code, which the server never has.
/// Source: `Protocol/10-server.md`, "Invitations".
struct Invitation: Sendable {
    let number: Int64
    let email: String?
    let phone: String?
    /// Microseconds since 1970.
    let createdAt: Int64

    static let columns = "number, email, phone, created_at"

    /// Of a row that begins with `columns`.
    init(_ row: SQLRow) throws(Failure) {
        number = try row.integer(0)
        email = try row.optionalText(1)
        phone = try row.optionalText(2)
        createdAt = try row.integer(3)
    }

    /// As those who lead the tour read it.
    struct Body: Encodable {
        let id: Int64
        let email: String?
        let phone: String?
        let createdAt: Date

        init(_ invitation: Invitation) {
            id = invitation.number
            email = invitation.email
            phone = invitation.phone
            createdAt = Date(microseconds: invitation.createdAt)
        }
    }
}

extension SQL {
    /// By the time of their making.
    func invitations(to tour: StoredTour) throws(Failure) -> [Invitation] {
        let found = try rows(
            "SELECT \(Invitation.columns) FROM invitations WHERE tour = $1 ORDER BY number", [.integer(tour.number)])
        var invitations = [Invitation]()
        for row in found { invitations.append(try Invitation(row)) }
        return invitations
    }

    /// - Returns: the invitation of that name, and whether it was made now.
    func invite(
        email: EmailAddress?, phone: PhoneNumber?, to tour: StoredTour, now: Int64
    ) throws(Failure) -> (Invitation, isNew: Bool) {
        let names: [SQLValue] = [.integer(tour.number), SQLValue(email?.text), SQLValue(phone?.text)]
        let statement = "SELECT \(Invitation.columns) FROM invitations WHERE tour = $1 AND (email = $2 OR phone = $3)"
        if let row = try row(statement, names) { return (try Invitation(row), false) }
        let count = try row("SELECT COUNT(*) FROM invitations WHERE tour = $1", [.integer(tour.number)])
        guard try count?.integer(0) ?? 0 < ServerLimits.invitationsMax else { throw Failure(.quota) }
        try run(
            "INSERT INTO invitations (number, tour, email, phone, created_at) VALUES ($1, $2, $3, $4, $5)",
            [.integer(try nextNumber("invitation"))] + names + [.integer(now)])
        guard let made = try row(statement, names) else {
            throw Failure(.internalError, cause: "an invitation that was just made is not there")
        }
        return (try Invitation(made), true)
    }

    /// Which invitation to the tour the account has; nil: none.
    func invitation(of account: Account, to tour: StoredTour) throws(Failure) -> Int64? {
        try row(
            "SELECT number FROM invitations WHERE tour = $1 AND (email = $2 OR phone = $3) ORDER BY number",
            [.integer(tour.number), SQLValue(account.provenEmail), SQLValue(account.phone)])?.integer(0)
    }

    /// - Returns: false when the tour has no such invitation.
    func endInvitation(_ number: Int64, to tour: StoredTour) throws(Failure) -> Bool {
        try run(
            "DELETE FROM invitations WHERE tour = $1 AND number = $2", [.integer(tour.number), .integer(number)]) > 0
    }

    /// The account is a member now: its invitations have done their work.
    func endInvitations(of account: Account, to tour: StoredTour) throws(Failure) {
        try run(
            "DELETE FROM invitations WHERE tour = $1 AND (email = $2 OR phone = $3)",
            [.integer(tour.number), SQLValue(account.provenEmail), SQLValue(account.phone)])
    }
}

/// Where an account is invited.
struct InvitationHolding: SmallHolding {
    let name = "invitations"

    private struct Row: Encodable, Sendable {
        let groupId: String
        let createdAt: Date
        private enum CodingKeys: String, CodingKey {
            case groupId
            case createdAt = "created_at"
        }
    }

    func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable {
        let found = try sql.rows(
            """
            SELECT tours.id, invitations.created_at FROM invitations JOIN tours ON tours.number = invitations.tour
            WHERE invitations.email = $1 OR invitations.phone = $2 ORDER BY invitations.number
            """, [SQLValue(account.provenEmail), SQLValue(account.phone)])
        var rows = [Row]()
        for row in found {
            rows.append(
                Row(groupId: Hex.encode(try row.bytes(0)), createdAt: Date(microseconds: try row.integer(1))))
        }
        return rows
    }

    func delete(of account: Account, in sql: any SQL) throws(Failure) {
        try sql.run(
            "DELETE FROM invitations WHERE email = $1 OR phone = $2",
            [SQLValue(account.provenEmail), SQLValue(account.phone)])
    }
}
