import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import ServerTours
import TourModel

/// An organisation as the operator sees it.
package struct OrganisationSummary: Encodable, Sendable {
    /// Its number.
    package let id: Int64
    /// As its admins call it.
    package let name: String
    /// Accounts that are in.
    package let members: Int
    /// Those of them that are admins.
    package let admins: Int
    /// Tours that were shared with it.
    package let tours: Int
    /// When it was made.
    package let createdAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, name, members, admins, tours
        case createdAt = "created_at"
    }

    init(_ organisation: Organisation, in rows: OrganisationRows) throws(Failure) {
        id = organisation.number
        name = organisation.name
        (members, admins) = try rows.memberCounts(of: organisation.number)
        tours = Int(try rows.tourCount(of: organisation.number))
        createdAt = Date(microseconds: organisation.createdAt)
    }
}

/// A member of an organisation as the operator sees it.
package struct OrganisationMemberSummary: Encodable, Sendable {
    /// The account's number.
    package let account: Int64
    /// What it may do there.
    package let role: OrganisationRole
    /// The account's address, proven or not.
    package let email: String?
    /// The account's number.
    package let phone: String?
    /// Tours of the organisation that it owns.
    package let tours: Int64
    /// Since when it is in.
    package let joinedAt: Date

    private enum CodingKeys: String, CodingKey {
        case account, role, email, phone, tours
        case joinedAt = "joined_at"
    }

    init(_ member: OrganisationMember) {
        account = member.account
        role = member.role
        email = member.email
        phone = member.phone
        tours = member.tours
        joinedAt = Date(microseconds: member.joinedAt)
    }
}

extension ServerOperator {
    /// Organisations in the order of their numbers.
    /// - Throws: `unavailable`; `newerDatabase`.
    package func organisations(limit: Int) async throws(Failure) -> OperatorPage<OrganisationSummary> {
        try await read { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            let found = try rows.all(limit: limit + 1).map { organisation throws(Failure) in
                try OrganisationSummary(organisation, in: rows)
            }
            return OperatorPage(found, limit: limit)
        }
    }

    /// Makes an organisation.
    /// - Parameter admin: the number, e-mail address or phone number of the account that is its first admin.
    /// - Throws: `notFound` without such an account; `emailNotProven` where anybody may have typed its address;
    ///   `invalidField` for a name that is none; `quota`; `unavailable`; `newerDatabase`.
    package func addOrganisation(_ name: String, admin: String) async throws(Failure) -> OrganisationSummary {
        guard let name = OrganisationName(name)?.text else { throw .invalid("name") }
        let (now, actor) = (now(), actor)
        return try await write { sql throws(Failure) in
            let account = try Self.knownAccount(admin, in: sql)
            let rows = OrganisationRows(sql: sql)
            let made = try rows.add(name: name, admin: account.id, by: actor, now: now)
            return try OrganisationSummary(made, in: rows)
        }
    }

    /// - Throws: `notFound`; `unavailable`; `newerDatabase`.
    package func organisation(_ number: Int64) async throws(Failure) -> OrganisationSummary {
        try await read { sql throws(Failure) in try Self.organisation(number, in: OrganisationRows(sql: sql)) }
    }

    /// Ends an organisation: accounts and tours stay, each tour with its owner.
    /// - Throws: `notFound`; `unavailable`; `newerDatabase`.
    package func deleteOrganisation(_ number: Int64) async throws(Failure) -> OrganisationSummary {
        let (now, actor) = (now(), actor)
        return try await write { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            let summary = try Self.organisation(number, in: rows)
            try rows.delete(number, by: actor, now: now)
            return summary
        }
    }

    /// The members in the order in which they came.
    /// - Throws: `notFound`; `unavailable`; `newerDatabase`.
    package func members(of organisation: Int64) async throws(Failure) -> [OrganisationMemberSummary] {
        try await read { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try Self.organisation(organisation, in: rows)
            return try rows.members(of: organisation).map(OrganisationMemberSummary.init)
        }
    }

    /// Gives a tour of an organisation another owner.
    /// - Parameter id: 64 hexadecimal digits.
    /// - Parameter account: the number, e-mail address or phone number of a member.
    /// - Returns: the number of the owner.
    /// - Throws: `notFound`; `emailNotProven` where anybody may have typed the member's address; `quota` for a plan
    ///   where the member has the maximum; `unavailable`; `newerDatabase`.
    package func handOver(
        tour id: String, of organisation: Int64, to account: String
    ) async throws(Failure) -> Int64 {
        let (now, actor) = (now(), actor)
        return try await write { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try Self.organisation(organisation, in: rows)
            let heir = try Self.knownAccount(account, in: sql)
            guard try rows.role(of: heir.id, in: organisation) != nil else {
                throw Failure(.notFound, cause: "account \(heir.id) is not in the organisation")
            }
            let tour = try Self.tour(id, of: organisation, in: rows)
            try rows.requireRoom(for: tour, of: heir.id)
            try rows.handOver(tour, to: heir.id, in: organisation, by: actor, now: now)
            return heir.id
        }
    }

    /// - Throws: `notFound`; `emailNotProven`.
    private static func knownAccount(_ name: String, in sql: any SQL) throws(Failure) -> Account {
        let account = try Self.account(name, in: sql)
        guard account.isMeant(by: name) else {
            throw Failure(
                .emailNotProven,
                cause: account.isGuest
                    ? "account \(account.id) is a guest's: nobody could log in to it again"
                    : "nobody has shown yet that account \(account.id)'s e-mail address is its own")
        }
        return account
    }

    /// - Throws: `notFound`, and what else a database refuses.
    private static func tour(
        _ id: String, of organisation: Int64, in rows: OrganisationRows
    ) throws(Failure) -> StoredTour {
        do throws(Failure) {
            guard let tour = TourID(hex: id) else { throw Failure(.notFound) }
            return try rows.tour(tour, of: organisation)
        } catch {
            guard error.code == .notFound else { throw error }
            throw Failure(.notFound, cause: "the organisation has no tour \(id)")
        }
    }

    /// - Throws: `notFound`.
    private static func organisation(
        _ number: Int64, in rows: OrganisationRows
    ) throws(Failure) -> OrganisationSummary {
        guard let found = try rows.organisation(number) else {
            throw Failure(.notFound, cause: "there is no organisation \(number): 'admin organisation list' lists them")
        }
        return try OrganisationSummary(found, in: rows)
    }
}
