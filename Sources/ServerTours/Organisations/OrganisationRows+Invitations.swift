import ServerBase
import ServerRequests
import ServerStorage

/// An invitation into an organisation: of one person by address or number, or of whoever has its code, once. Times are
/// microseconds since 1970.
struct OrganisationInvitation: Hashable, Sendable {
    let number: Int64
    let organisation: Int64
    let role: OrganisationRole
    let email: String?
    let phone: String?
    let createdAt: Int64
    let expires: Int64

    /// - Parameter row: number, organisation, role, email, phone, created_at and expires.
    init(_ row: SQLRow) throws(Failure) {
        number = try row.integer(0)
        organisation = try row.integer(1)
        role = try row.organisationRole(2)
        email = try row.optionalText(3)
        phone = try row.optionalText(4)
        createdAt = try row.count(5)
        expires = try row.count(6)
    }
}

/// Invitations end when they are followed, taken back, declined, or over, and when their inviter is no admin any more.
extension OrganisationRows {
    /// The party that is invited.
    enum Invited: Sendable {
        case email(EmailAddress)
        case phone(PhoneNumber)
        /// Whoever has the code of this digest.
        case bearer(digest: [UInt8])
    }

    /// The open invitations in the order of their making.
    func invitations(into organisation: Int64, now: Int64) throws(Failure) -> [OrganisationInvitation] {
        let found = try sql.rows(
            """
            SELECT number, organisation, role, email, phone, created_at, expires FROM organisation_invitations
            WHERE organisation = $1 AND expires > $2 ORDER BY number
            """, [.integer(organisation), .integer(now)])
        return try found.map { row throws(Failure) in try OrganisationInvitation(row) }
    }

    /// The open invitations that name the account's proven address or its number.
    func invitations(of account: Account, now: Int64) throws(Failure) -> [OrganisationInvitation] {
        let found = try sql.rows(
            """
            SELECT number, organisation, role, email, phone, created_at, expires FROM organisation_invitations
            WHERE (email = $1 OR phone = $2) AND expires > $3 ORDER BY number
            """, [SQLValue(account.provenEmail), SQLValue(account.phone), .integer(now)])
        return try found.map { row throws(Failure) in try OrganisationInvitation(row) }
    }

    /// Makes an invitation, unless the person has one: that one then begins anew, with this role.
    /// - Parameter inviter: the admin's account. The invitation ends once it is an admin no more.
    /// - Throws: `quota`.
    func invite(
        _ invited: Invited, as role: OrganisationRole, into organisation: Int64, by inviter: Int64, now: Int64
    ) throws(Failure) -> OrganisationInvitation {
        var (email, phone, digest): (String?, String?, [UInt8]?)
        switch invited {
        case .email(let address): email = address.text
        case .phone(let number): phone = number.text
        case .bearer(let code): digest = code
        }
        try sql.run(
            """
            DELETE FROM organisation_invitations
            WHERE organisation = $1 AND (email = $2 OR phone = $3 OR expires <= $4)
            """,
            [.integer(organisation), SQLValue(email), SQLValue(phone), .integer(now)])
        guard try invitations(into: organisation, now: now).count < ServerLimits.organisationInvitationsMax else {
            throw Failure(.quota)
        }
        let number = try sql.nextNumber("organisation_invitations")
        let expires = now + ServerLimits.organisationInvitationLifetime * 1_000_000
        try sql.run(
            """
            INSERT INTO organisation_invitations
            (number, organisation, inviter, role, email, phone, digest, created_at, expires)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .integer(number), .integer(organisation), .integer(inviter), .text(role.rawValue), SQLValue(email),
                SQLValue(phone), SQLValue(digest), .integer(now), .integer(expires),
            ])
        guard let made = try invitations(into: organisation, now: now).first(where: { $0.number == number }) else {
            throw Failure(.internalError, cause: "an invitation that was just made is not there")
        }
        return made
    }

    /// The open invitation with the code of this digest.
    func invitation(digest: [UInt8], into organisation: Int64, now: Int64) throws(Failure) -> OrganisationInvitation? {
        let row = try sql.row(
            """
            SELECT number, organisation, role, email, phone, created_at, expires FROM organisation_invitations
            WHERE organisation = $1 AND digest = $2 AND expires > $3
            """, [.integer(organisation), .bytes(digest), .integer(now)])
        return try row.map { row throws(Failure) in try OrganisationInvitation(row) }
    }

    /// Lets the account in by its invitation, which ends with every other one that names it.
    /// - Throws: `quota`.
    func follow(_ invitation: OrganisationInvitation, by account: Account, now: Int64) throws(Failure) {
        let actor = AuditActor.account(account.id)
        try join(account.id, as: invitation.role, in: invitation.organisation, by: actor, now: now)
        try sql.run(
            """
            DELETE FROM organisation_invitations
            WHERE organisation = $1 AND (number = $2 OR email = $3 OR phone = $4)
            """,
            [
                .integer(invitation.organisation), .integer(invitation.number), SQLValue(account.provenEmail),
                SQLValue(account.phone),
            ])
    }

    /// - Returns: false when the organisation has no such invitation.
    func endInvitation(_ number: Int64, into organisation: Int64) throws(Failure) -> Bool {
        try sql.run(
            "DELETE FROM organisation_invitations WHERE organisation = $1 AND number = $2",
            [.integer(organisation), .integer(number)]) > 0
    }

    /// For an admin who is one no more.
    func endInvitations(by inviter: Int64, into organisation: Int64) throws(Failure) {
        try sql.run(
            "DELETE FROM organisation_invitations WHERE organisation = $1 AND inviter = $2",
            [.integer(organisation), .integer(inviter)])
    }

    /// For a member that goes.
    func endInvitations(of account: Account, into organisation: Int64) throws(Failure) {
        try sql.run(
            "DELETE FROM organisation_invitations WHERE organisation = $1 AND (email = $2 OR phone = $3)",
            [.integer(organisation), SQLValue(account.provenEmail), SQLValue(account.phone)])
    }

    /// For an account that is deleted.
    func endInvitations(of account: Account) throws(Failure) {
        try sql.run(
            "DELETE FROM organisation_invitations WHERE email = $1 OR phone = $2",
            [SQLValue(account.provenEmail), SQLValue(account.phone)])
    }

    /// Deletes the invitations that are over.
    package func sweep(now: Int64) throws(Failure) {
        try sql.run("DELETE FROM organisation_invitations WHERE expires <= $1", [.integer(now)])
    }
}
