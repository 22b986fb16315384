import NIOHTTP1
import TourAPI
import TourCurl
import TourModel

/// The organisations at a server of the account that is logged in there: their members, invitations and tours.
/// Source: `Protocol/Schema/openapi.yaml`; `Protocol/10-server.md`, "Organisations".
package struct ServerOrganisations: Sendable {
    /// The party that an invitation is for.
    package enum Invited: Sendable {
        case email(String)
        case phone(String)
        /// Whoever has the code that the server makes.
        case bearer
    }

    /// Rows that are taken of a list: a server's longest, an organisation's tours, has no more.
    static let rowsMax = 10_000
    /// Requests for one list: a server gives a thousand rows at once.
    static let pagesMax = 100

    private let client: APIClient

    init(client: APIClient) { self.client = client }

    /// Those that the account is in, and those that it is invited to.
    package func all() async throws(OrganisationError) -> [Organisation] {
        try await list(Organisation.self, "/organisations")
    }

    /// Makes one, whose admin the account is.
    /// - Throws: `operatorAlone` where the server lets no account of this role do so.
    package func create(_ name: String) async throws(OrganisationError) -> Organisation {
        try await ask(Organisation.self, .POST, "/organisations", ["name": name], .create)
    }

    /// Gives it another name. For admins.
    package func rename(_ organisation: Int64, to name: String) async throws(OrganisationError) -> Organisation {
        try await ask(Organisation.self, .PATCH, Self.path(organisation), ["name": name])
    }

    /// Ends it: each tour stays with its owner. For admins.
    package func end(_ organisation: Int64) async throws(OrganisationError) {
        try await send(.DELETE, Self.path(organisation))
    }

    // MARK: Invitations

    /// The open ones. For admins.
    package func invitations(into organisation: Int64) async throws(OrganisationError) -> [OrganisationInvitation] {
        try await list(OrganisationInvitation.self, Self.path(organisation, "invitations"))
    }

    /// Invites; nothing is sent to anybody. For admins.
    package func invite(
        _ invited: Invited, as role: OrganisationRole, into organisation: Int64
    ) async throws(OrganisationError) -> OrganisationInvitation {
        var body = ["role": role.rawValue]
        switch invited {
        case .email(let email): body["email"] = email
        case .phone(let phone): body["phone"] = phone
        case .bearer: break
        }
        return try await ask(OrganisationInvitation.self, .POST, Self.path(organisation, "invitations"), body)
    }

    /// Takes an invitation back, for admins, or declines one of the account's own.
    package func endInvitation(_ number: Int64, into organisation: Int64) async throws(OrganisationError) {
        try await send(.DELETE, Self.path(organisation, "invitations", String(number)))
    }

    /// Follows an invitation.
    /// - Parameter code: nil: the invitation names the account's own address or phone.
    /// - Throws: `notInvited`, `wrongCode`.
    package func join(_ organisation: Int64, code: String?) async throws(OrganisationError) -> Organisation {
        let body = ["code": code].compactMapValues(\.self)
        return try await ask(Organisation.self, .POST, Self.path(organisation, "join"), body, .join)
    }

    // MARK: Members

    /// In the order in which they came, with addresses and phones for admins alone.
    package func members(of organisation: Int64) async throws(OrganisationError) -> [OrganisationMember] {
        let own = try await ownNumber()
        var members = try await list(OrganisationMember.self, Self.path(organisation, "members"))
        for index in members.indices where members[index].account == own { members[index].own = true }
        return members
    }

    /// Gives a member another role. For admins.
    package func setRole(
        _ role: OrganisationRole, of account: Int64, in organisation: Int64
    ) async throws(OrganisationError) -> OrganisationMember {
        let path = Self.path(organisation, "members", String(account))
        return try await ask(OrganisationMember.self, .PUT, path, ["role": role.rawValue])
    }

    /// Takes a member out; its tours go to whoever does so. For admins.
    package func remove(_ account: Int64, from organisation: Int64) async throws(OrganisationError) {
        try await send(.DELETE, Self.path(organisation, "members", String(account)))
    }

    /// Ends the account's own membership; its tours there go to an admin.
    package func leave(_ organisation: Int64) async throws(OrganisationError) {
        try await remove(try await ownNumber(), from: organisation)
    }

    // MARK: Tours

    /// By the time of their registration.
    package func tours(of organisation: Int64) async throws(OrganisationError) -> [OrganisationTour] {
        try await list(OrganisationTour.self, Self.path(organisation, "tours"))
    }

    /// Shares a tour that the account owns.
    /// - Throws: `unknownTour` for any other, `sharedElsewhere`.
    package func share(_ tour: TourID, with organisation: Int64) async throws(OrganisationError) {
        try await send(.PUT, Self.path(organisation, "tours", tour.hex), .share)
    }

    /// Takes a tour out, which stays with its owner. For admins.
    package func takeOut(_ tour: TourID, of organisation: Int64) async throws(OrganisationError) {
        try await send(.DELETE, Self.path(organisation, "tours", tour.hex))
    }

    /// Makes another member the owner of a tour. For admins, and for its owner.
    package func handOver(
        _ tour: TourID, to account: Int64, in organisation: Int64
    ) async throws(OrganisationError) -> OrganisationTour {
        let path = Self.path(organisation, "tours", tour.hex, "owner", String(account))
        return try await ask(OrganisationTour.self, .PUT, path, [:])
    }

    // MARK: Requests

    private static func path(_ organisation: Int64, _ parts: String...) -> String {
        (["/organisations", String(organisation)] + parts).joined(separator: "/")
    }

    private func ownNumber() async throws(OrganisationError) -> Int64 {
        try await ask(OwnNumber.self, .GET, "/auth/me", nil).id
    }

    private func ask<Answer: Decodable>(
        _ type: Answer.Type, _ method: HTTPMethod, _ path: String, _ body: [String: String]?,
        _ act: OrganisationError.Act = .other
    ) async throws(OrganisationError) -> Answer {
        let body = body.map { Endpoint.json($0) } ?? []
        let endpoint = Endpoint(method, path, access: .account, body: body, isInteractive: true)
        do {
            return try APIClient.decode(type, try await client.reply(to: endpoint).body)
        } catch {
            throw OrganisationError(error, at: act)
        }
    }

    private func send(
        _ method: HTTPMethod, _ path: String, _ act: OrganisationError.Act = .other
    ) async throws(OrganisationError) {
        let endpoint = Endpoint(method, path, access: .account, isInteractive: true)
        do { _ = try await client.reply(to: endpoint) } catch { throw OrganisationError(error, at: act) }
    }

    /// All rows of a list, page by page.
    private func list<Row: Decodable>(_ type: Row.Type, _ path: String) async throws(OrganisationError) -> [Row] {
        var rows = [Row]()
        var cursor: PageCursor?
        do {
            for _ in 0..<Self.pagesMax {
                let query = cursor.map { "?cursor=\($0.text)" } ?? ""
                let reply = try await client.reply(
                    to: Endpoint(.GET, path + query, access: .account, isInteractive: true))
                rows += try APIClient.decode([Row].self, reply.body).prefix(Self.rowsMax - rows.count)
                cursor = try PageCursor(behind: reply)
                if cursor == nil || rows.count == Self.rowsMax { break }
            }
        } catch {
            throw OrganisationError(error, at: .other)
        }
        return rows
    }
}

private struct OwnNumber: Decodable {
    var id: Int64
}

/// Where a list goes on, by the `Link` of an answer: `<?limit=1000&cursor=00ff>; rel="next"`. Source: RFC 8288.
struct PageCursor: Sendable {
    /// Hexadecimal digits, which may stand in an address as they are.
    let text: String

    /// The digits of the longest cursor. Source: `ServerLimits.cursorDigitsMax`.
    static let digitsMax = 128

    /// - Returns: nil for the last part of the list.
    /// - Throws: `decoding` where more follows, and it is not said how to ask for it.
    init?(behind reply: Reply) throws(APIError) {
        guard let link = reply.headers.first(name: "Link") else { return nil }
        let query = link.prefix { $0 != ">" }.split(separator: "?", maxSplits: 1).last ?? ""
        let cursor = query.split(separator: "&").first { $0.hasPrefix("cursor=") }?.dropFirst("cursor=".count)
        guard let cursor, (1...Self.digitsMax).contains(cursor.utf8.count), cursor.allSatisfy(\.isHexDigit),
            cursor.utf8.allSatisfy({ $0 < 0x80 })
        else { throw .decoding }
        text = String(cursor)
    }
}
