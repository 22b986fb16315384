import ServerBase
import ServerRequests
import ServerStorage
import TourModel

/// What a member of an organisation may do in it. A role here changes no role on the server, and no rank in a tour.
package enum OrganisationRole: String, Codable, CaseIterable, Sendable {
    /// Reads the organisation's tours, and shares own ones with it.
    case guide
    /// Also invites and removes members, and hands tours over.
    case admin
}

/// Several accounts that work together, such as the guides of a company. Times are microseconds since 1970.
package struct Organisation: Hashable, Sendable {
    /// The number that clients show and send.
    package let number: Int64
    /// The name that its admins gave it.
    package let name: String
    /// When it was made.
    package let createdAt: Int64

    /// - Parameter row: begins with number, name and created_at.
    init(_ row: SQLRow) throws(Failure) {
        number = try row.integer(0)
        name = try row.text(1)
        createdAt = try row.count(2)
    }
}

/// An account in an organisation.
package struct OrganisationMember: Hashable, Sendable {
    /// The account's number.
    package let account: Int64
    /// The account's rights there.
    package let role: OrganisationRole
    /// When the account came in.
    package let joinedAt: Int64
    /// The account's address, proven or not.
    package let email: String?
    /// The account's phone number.
    package let phone: String?
    /// The tours of the organisation that the account owns.
    package let tours: Int64

    /// - Parameter row: account, role, joined_at, email, phone and the number of tours.
    init(_ row: SQLRow) throws(Failure) {
        account = try row.integer(0)
        role = try row.organisationRole(1)
        joinedAt = try row.count(2)
        email = try row.optionalText(3)
        phone = try row.optionalText(4)
        tours = try row.count(5)
    }
}

extension SQLRow {
    /// - Throws: `internal` for a role that this version does not know.
    func organisationRole(_ column: Int) throws(Failure) -> OrganisationRole {
        guard let role = OrganisationRole(rawValue: try text(column)) else {
            throw Failure(.internalError, cause: "a member of an organisation has a role that nobody knows")
        }
        return role
    }
}

/// The organisations with their members, invitations and tours, inside one transaction. It owns the rows of the tables
/// `organisations` and `organisation_…`, and nobody else writes these.
///
/// An organisation has an admin as long as it has a member, and its tours are owned by members.
/// Source: `Protocol/10-server.md`, "Organisations".
package struct OrganisationRows {
    let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// The steps of the tables of organisations.
    package static let migrations = [
        Migration(
            name: "organisations-1",
            statements: [
                """
                CREATE TABLE organisations (
                    number BIGINT PRIMARY KEY, name TEXT NOT NULL, created_at BIGINT NOT NULL)
                """,
                """
                CREATE TABLE organisation_members (
                    organisation BIGINT NOT NULL, account BIGINT NOT NULL, role TEXT NOT NULL,
                    joined_at BIGINT NOT NULL, PRIMARY KEY (organisation, account))
                """,
                "CREATE INDEX organisation_members_by_account ON organisation_members (account)",
                // Of one person, by address or number, or of whoever has the code.
                """
                CREATE TABLE organisation_invitations (
                    number BIGINT PRIMARY KEY, organisation BIGINT NOT NULL, inviter BIGINT NOT NULL,
                    role TEXT NOT NULL, email TEXT, phone TEXT, digest BYTEA, created_at BIGINT NOT NULL,
                    expires BIGINT NOT NULL,
                    UNIQUE (organisation, email), UNIQUE (organisation, phone))
                """,
                "CREATE INDEX organisation_invitations_by_email ON organisation_invitations (email)",
                "CREATE INDEX organisation_invitations_by_phone ON organisation_invitations (phone)",
                // A tour belongs to one organisation at most.
                "CREATE TABLE organisation_tours (tour BIGINT PRIMARY KEY, organisation BIGINT NOT NULL)",
                "CREATE INDEX organisation_tours_by_organisation ON organisation_tours (organisation)",
            ]),
        // As accounts-7.
        Migration(
            name: "organisations-2", statements: [],
            fill: { sql throws(Failure) in
                try EmailAddress.rewrite(
                    of: "organisation_invitations", within: "organisation", key: "number", order: "number", in: sql)
            }),
    ]

    /// Makes an organisation with its first admin.
    /// - Throws: `quota` where the account is in too many.
    package func add(name: String, admin: Int64, by actor: AuditActor, now: Int64) throws(Failure) -> Organisation {
        let number = try sql.nextNumber("organisations")
        try sql.run(
            "INSERT INTO organisations (number, name, created_at) VALUES ($1, $2, $3)",
            [.integer(number), .text(name), .integer(now)])
        try AuditLog(sql: sql).add(
            .organisationMade, by: actor, account: admin, detail: Self.detail(number), now: now)
        try join(admin, as: .admin, in: number, by: actor, now: now)
        guard let made = try organisation(number) else {
            throw Failure(.internalError, cause: "an organisation that was just made is not there")
        }
        return made
    }

    /// The organisation of this number.
    package func organisation(_ number: Int64) throws(Failure) -> Organisation? {
        let row = try sql.row(
            "SELECT number, name, created_at FROM organisations WHERE number = $1", [.integer(number)])
        return try row.map { row throws(Failure) in try Organisation(row) }
    }

    /// Organisations in the order of their numbers.
    package func all(limit: Int) throws(Failure) -> [Organisation] {
        let found = try sql.rows(
            "SELECT number, name, created_at FROM organisations ORDER BY number LIMIT \(limit)", [])
        return try found.map { row throws(Failure) in try Organisation(row) }
    }

    /// The organisations of an account, in the order of their numbers, with its role in each and since when it is in.
    func organisations(
        of account: Int64
    ) throws(Failure) -> [(organisation: Organisation, role: OrganisationRole, joinedAt: Int64)] {
        let found = try sql.rows(
            """
            SELECT o.number, o.name, o.created_at, m.role, m.joined_at
            FROM organisations AS o JOIN organisation_members AS m ON m.organisation = o.number
            WHERE m.account = $1 ORDER BY o.number
            """, [.integer(account)])
        return try found.map { row throws(Failure) in
            (try Organisation(row), try row.organisationRole(3), try row.count(4))
        }
    }

    func rename(_ organisation: Int64, to name: String) throws(Failure) {
        try sql.run(
            "UPDATE organisations SET name = $1 WHERE number = $2", [.text(name), .integer(organisation)])
    }

    /// Ends an organisation: its tours stay with their owners.
    package func delete(_ organisation: Int64, by actor: AuditActor, now: Int64) throws(Failure) {
        for statement in [
            "DELETE FROM organisation_invitations WHERE organisation = $1",
            "DELETE FROM organisation_tours WHERE organisation = $1",
            "DELETE FROM organisation_members WHERE organisation = $1",
        ] {
            try sql.run(statement, [.integer(organisation)])
        }
        try sql.run("DELETE FROM organisations WHERE number = $1", [.integer(organisation)])
        try AuditLog(sql: sql).add(.organisationDeleted, by: actor, detail: Self.detail(organisation), now: now)
    }

    // MARK: Members

    /// nil: the account is no member.
    package func role(of account: Int64, in organisation: Int64) throws(Failure) -> OrganisationRole? {
        let row = try sql.row(
            "SELECT role FROM organisation_members WHERE organisation = $1 AND account = $2",
            [.integer(organisation), .integer(account)])
        return try row.map { row throws(Failure) in try row.organisationRole(0) }
    }

    /// The organisation, for an account that has this role in it; an admin has both.
    /// - Throws: `notFound` for an account that is no member: nobody else learns which organisations there are;
    ///   `forbidden` for a guide where an admin is wanted.
    func require(
        _ wanted: OrganisationRole, of account: Int64, in organisation: Int64
    ) throws(Failure) -> Organisation {
        guard let role = try role(of: account, in: organisation), let found = try self.organisation(organisation)
        else { throw Failure(.notFound) }
        guard wanted == .guide || role == .admin else { throw Failure(.forbidden) }
        return found
    }

    /// The members in the order in which they came. Their tours are counted once for all: a search for each member
    /// goes through all tours of the organisation a thousand times.
    package func members(of organisation: Int64) throws(Failure) -> [OrganisationMember] {
        let found = try sql.rows(
            """
            SELECT m.account, m.role, m.joined_at, a.email, a.phone, COALESCE(o.owned, 0)
            FROM organisation_members AS m JOIN accounts AS a ON a.id = m.account
            LEFT JOIN (SELECT tours.account AS owner, COUNT(*) AS owned FROM organisation_tours AS t
                JOIN tours ON tours.number = t.tour WHERE t.organisation = $1 GROUP BY tours.account) AS o
                ON o.owner = m.account
            WHERE m.organisation = $2 ORDER BY m.joined_at, m.account
            """, [.integer(organisation), .integer(organisation)])
        return try found.map { row throws(Failure) in try OrganisationMember(row) }
    }

    /// - Throws: `quota`.
    func join(
        _ account: Int64, as role: OrganisationRole, in organisation: Int64, by actor: AuditActor, now: Int64
    ) throws(Failure) {
        let counts = try sql.row(
            """
            SELECT (SELECT COUNT(*) FROM organisation_members WHERE organisation = $1),
                (SELECT COUNT(*) FROM organisation_members WHERE account = $2)
            """, [.integer(organisation), .integer(account)])
        guard let counts, try counts.integer(0) < ServerLimits.organisationMembersMax,
            try counts.integer(1) < ServerLimits.organisationsPerAccountMax
        else { throw Failure(.quota) }
        try sql.run(
            "INSERT INTO organisation_members (organisation, account, role, joined_at) VALUES ($1, $2, $3, $4)",
            [.integer(organisation), .integer(account), .text(role.rawValue), .integer(now)])
        try AuditLog(sql: sql).add(
            .organisationJoined, by: actor, account: account,
            detail: "\(Self.detail(organisation)), \(role.rawValue)", now: now)
    }

    /// Gives a member another role. The invitations of an admin who becomes a guide end.
    /// - Throws: `notFound` for an account that is no member; `lastAdmin`.
    func setRole(
        _ role: OrganisationRole, of account: Int64, in organisation: Int64, by actor: AuditActor, now: Int64
    ) throws(Failure) {
        guard let old = try self.role(of: account, in: organisation) else { throw Failure(.notFound) }
        guard role != old else { return }
        if role == .guide, try admins(of: organisation) == [account] { throw Failure(.lastAdmin) }
        try sql.run(
            "UPDATE organisation_members SET role = $1 WHERE organisation = $2 AND account = $3",
            [.text(role.rawValue), .integer(organisation), .integer(account)])
        // A code in the admin's hands would make it admin again.
        if role == .guide { try endInvitations(by: account, into: organisation) }
        try AuditLog(sql: sql).add(
            .organisationRoleSet, by: actor, account: account,
            detail: "\(Self.detail(organisation)), \(role.rawValue)", now: now)
    }

    /// Ends a membership. The tours of the organisation that the account owned go to an admin: to the one who removes
    /// it, else to the one who is in for the longest. With its last member the organisation ends, and the tours stay
    /// with their owner. The invitations that it made, and those that name it, end: by them it would be in again.
    /// - Parameter remover: the admin who removes the account; nil: it leaves by itself.
    /// - Parameter isDeleted: whether the account is deleted, which nothing may prevent: the member who is in for the
    ///   longest then follows a last admin.
    /// - Throws: `notFound` for an account that is no member; `lastAdmin`.
    func end(
        _ account: Int64, in organisation: Int64, remover: Int64? = nil, isDeleted: Bool = false, by actor: AuditActor,
        now: Int64
    ) throws(Failure) {
        guard try role(of: account, in: organisation) != nil else { throw Failure(.notFound) }
        let others = try members(of: organisation).filter { $0.account != account }
        guard let first = others.first else { return try delete(organisation, by: actor, now: now) }
        if !others.contains(where: { $0.role == .admin }) {
            guard isDeleted else { throw Failure(.lastAdmin) }
            try setRole(.admin, of: first.account, in: organisation, by: actor, now: now)
        }
        let heir = remover ?? others.first { $0.role == .admin }?.account ?? first.account
        for tour in try tours(of: organisation, ownedBy: account) {
            try handOver(tour, to: heir, in: organisation, by: actor, now: now)
        }
        try endInvitations(by: account, into: organisation)
        if let gone = try AccountRows(sql: sql).account(id: account) {
            try endInvitations(of: gone, into: organisation)
        }
        try sql.run(
            "DELETE FROM organisation_members WHERE organisation = $1 AND account = $2",
            [.integer(organisation), .integer(account)])
        try AuditLog(sql: sql).add(
            .organisationLeft, by: actor, account: account, detail: Self.detail(organisation), now: now)
    }

    /// For an account that is deleted.
    func endAll(of account: Int64, by actor: AuditActor, now: Int64) throws(Failure) {
        for (organisation, _, _) in try organisations(of: account) {
            try end(account, in: organisation.number, isDeleted: true, by: actor, now: now)
        }
    }

    /// How many members there are, and how many of them are admins.
    package func memberCounts(of organisation: Int64) throws(Failure) -> (all: Int, admins: Int) {
        let row = try sql.row(
            """
            SELECT COUNT(*), COALESCE(SUM(CASE WHEN role = 'admin' THEN 1 ELSE 0 END), 0)
            FROM organisation_members WHERE organisation = $1
            """, [.integer(organisation)])
        return (Int(try row?.count(0) ?? 0), Int(try row?.count(1) ?? 0))
    }

    private func admins(of organisation: Int64) throws(Failure) -> [Int64] {
        let found = try sql.rows(
            "SELECT account FROM organisation_members WHERE organisation = $1 AND role = 'admin' ORDER BY account",
            [.integer(organisation)])
        return try found.map { row throws(Failure) in try row.integer(0) }
    }

    /// How the audit log names an organisation.
    static func detail(_ organisation: Int64) -> String { "organisation \(organisation)" }
}
