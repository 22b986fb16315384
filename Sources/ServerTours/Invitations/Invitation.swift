import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import TourModel

/// An invitation: a member that leads the tour allows the owner of this address or number to see that the tour exists.
/// It admits nobody: one joins a tour by its code, which the server keeps nowhere.
/// Source: `Protocol/10-server.md`, "Invitations".
struct Invitation: Sendable {
    let number: Int64
    let email: String?
    let phone: String?
    /// Microseconds since 1970.
    let createdAt: Int64

    static let columns = "number, email, phone, created_at"

    /// - Parameter row: begins with `columns`.
    init(_ row: SQLRow) throws(Failure) {
        number = try row.integer(0)
        email = try row.optionalText(1)
        phone = try row.optionalText(2)
        createdAt = try row.integer(3)
    }

    /// The form in which members that lead the tour read an invitation.
    struct Body: Encodable, Sendable {
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

/// The invitations to tours inside one transaction. It owns the rows of `invitations`.
package struct InvitationRows {
    let sql: any SQL

    /// The invitations to a tour in the order of their creation.
    func all(to tour: StoredTour) throws(Failure) -> [Invitation] {
        let found = try sql.rows(
            "SELECT \(Invitation.columns) FROM invitations WHERE tour = $1 ORDER BY number", [.integer(tour.number)])
        return try found.map(Invitation.init)
    }

    /// The same, for a caller who may see them.
    /// - Throws: `notAllowed`.
    func all(for access: TourAccess) throws(Failure) -> [Invitation] {
        guard access.readsInvitations else { throw Failure(.notAllowed) }
        return try all(to: access.tour)
    }

    /// Creates an invitation to the tour, unless one of that name exists.
    /// - Returns: the invitation, and whether this call created it.
    /// - Throws: `notAllowed` for a caller who does not lead the tour; `quota`.
    func add(
        email: EmailAddress?, phone: PhoneNumber?, by access: TourAccess, now: Int64
    ) throws(Failure) -> (Invitation, isNew: Bool) {
        guard access.leads else { throw Failure(.notAllowed) }
        let tour = access.tour
        let names: [SQLValue] = [.integer(tour.number), SQLValue(email?.text), SQLValue(phone?.text)]
        let statement = "SELECT \(Invitation.columns) FROM invitations WHERE tour = $1 AND (email = $2 OR phone = $3)"
        if let row = try sql.row(statement, names) { return (try Invitation(row), false) }
        let count = try sql.row("SELECT COUNT(*) FROM invitations WHERE tour = $1", [.integer(tour.number)])
        guard try count?.integer(0) ?? 0 < ServerLimits.invitationsMax else { throw Failure(.quota) }
        try sql.run(
            "INSERT INTO invitations (number, tour, email, phone, created_at) VALUES ($1, $2, $3, $4, $5)",
            [.integer(try sql.nextNumber("invitation"))] + names + [.integer(now)])
        guard let made = try sql.row(statement, names) else {
            throw Failure(.internalError, cause: "an invitation that was just made is not there")
        }
        return (try Invitation(made), true)
    }

    /// The number of the account's first invitation to the tour; nil when it has none.
    func number(of account: Account, to tour: StoredTour) throws(Failure) -> Int64? {
        try sql.row(
            "SELECT number FROM invitations WHERE tour = $1 AND (email = $2 OR phone = $3) ORDER BY number",
            [.integer(tour.number), SQLValue(account.provenEmail), SQLValue(account.phone)])?.integer(0)
    }

    /// Ends an invitation, for a caller who leads the tour or for the invited account itself.
    /// - Parameter account: the caller's; nil for a member without one.
    /// - Throws: `notAllowed`; `notFound` where the tour has no such invitation.
    func end(_ number: Int64, by access: TourAccess, _ account: AuthenticatedAccount?) throws(Failure) {
        let isForCaller =
            switch access.right {
            case .invited(let own): own == number
            // Invited in person beside.
            case .colleague:
                try account.flatMap { account throws(Failure) in
                    try self.number(of: account.account, to: access.tour)
                } == number
            case .keeper, .member: false
            }
        guard isForCaller || access.leads else { throw Failure(.notAllowed) }
        guard try end(number, to: access.tour) else { throw Failure(.notFound) }
    }

    /// - Returns: false when the tour has no such invitation.
    private func end(_ number: Int64, to tour: StoredTour) throws(Failure) -> Bool {
        try sql.run(
            "DELETE FROM invitations WHERE tour = $1 AND number = $2", [.integer(tour.number), .integer(number)]) > 0
    }

    /// Deletes all invitations of an account that is being deleted.
    func endAll(of account: Account) throws(Failure) {
        try sql.run(
            "DELETE FROM invitations WHERE email = $1 OR phone = $2",
            [SQLValue(account.provenEmail), SQLValue(account.phone)])
    }

    /// Deletes the account's invitations to a tour that it has joined.
    func endAll(of account: Account, to tour: StoredTour) throws(Failure) {
        try sql.run(
            "DELETE FROM invitations WHERE tour = $1 AND (email = $2 OR phone = $3)",
            [.integer(tour.number), SQLValue(account.provenEmail), SQLValue(account.phone)])
    }
}

/// The invitations that name an account's proven address or its number.
package struct InvitationHolding: SmallHolding {
    /// See `AccountHolding.name`.
    package let name = "invitations"

    package init() {}

    private struct Row: Encodable, Sendable {
        let groupId: String
        let createdAt: Date
        private enum CodingKeys: String, CodingKey {
            case groupId
            case createdAt = "created_at"
        }
    }

    /// The tours to which the account is invited.
    package func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable {
        let found = try sql.rows(
            """
            SELECT tours.id, invitations.created_at FROM invitations JOIN tours ON tours.number = invitations.tour
            WHERE invitations.email = $1 OR invitations.phone = $2 ORDER BY invitations.number
            """, [SQLValue(account.provenEmail), SQLValue(account.phone)])
        return try found.map { row throws(Failure) in
            Row(groupId: Hex.encode(try row.bytes(0)), createdAt: Date(microseconds: try row.integer(1)))
        }
    }

    /// Ends all invitations of the account.
    package func delete(of account: Account, in sql: any SQL) throws(Failure) {
        try InvitationRows(sql: sql).endAll(of: account)
    }
}
