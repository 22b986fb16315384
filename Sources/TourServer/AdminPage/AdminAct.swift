import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerTours

/// One thing that the operator sees or does on the page: what a command of `tour-server admin` does too, and the
/// request that asks for it.
struct AdminAct: Sendable {
    /// Answers with a value, which the page gets as JSON.
    typealias Work = @Sendable (ServerOperator, Call) async throws -> any Encodable & Sendable

    let method: HTTPRequest.Method
    /// Below the page's API.
    let path: String
    /// Whether the request has a JSON document.
    let hasBody: Bool
    /// The status of its answer.
    let status: HTTPResponse.Status
    let work: Work

    private init(
        _ method: HTTPRequest.Method, _ path: String, hasBody: Bool = false, status: HTTPResponse.Status = .ok,
        work: @escaping Work
    ) {
        (self.method, self.path, self.hasBody, self.status, self.work) = (method, path, hasBody, status, work)
    }

    /// All of them.
    static let all = accounts + tours + organisations + abuse + [AdminAct(.get, "/limits") { _, _ in Limits() }]

    private static let accounts = [
        AdminAct(.get, "/accounts") { server, call in
            let text = call.query("search")
            guard text?.utf8.count ?? 0 <= ServerLimits.searchBytesMax else { throw Failure.invalid("search") }
            return try await server.accounts(matching: text, behind: try call.behind(), limit: try call.rows())
        },
        AdminAct(.get, "/accounts/{account}") { try await $0.account($1.part("account")) },
        AdminAct(.post, "/accounts/{account}/disable") { try await $0.setDisabled(true, $1.part("account")).account },
        AdminAct(.post, "/accounts/{account}/enable") { try await $0.setDisabled(false, $1.part("account")).account },
        AdminAct(.post, "/accounts/{account}/reset") { try await $0.resetAccount($1.part("account")) },
        AdminAct(.delete, "/accounts/{account}") { try await $0.deleteAccount($1.part("account")) },
        AdminAct(.delete, "/accounts/{account}/sessions") {
            ["sessions_ended": try await $0.endSessions(of: $1.part("account"))]
        },
        AdminAct(.delete, "/accounts/{account}/sessions/{session}") {
            ["sessions_ended": try await $0.endSessions(of: $1.part("account"), only: $1.part("session"))]
        },
    ]

    private static let tours = [
        AdminAct(.get, "/tours") { try await $0.tours(limit: try $1.rows()) },
        AdminAct(.get, "/tours/{tour}") { try await $0.tour($1.part("tour")) },
        AdminAct(.delete, "/tours/{tour}") { try await $0.deleteTour($1.part("tour")) },
        AdminAct(.get, "/invitations") { try await $0.invitations(limit: try $1.rows()) },
    ]

    private static let organisations = [
        AdminAct(.get, "/organisations") { try await $0.organisations(limit: try $1.rows()) },
        AdminAct(.get, "/organisations/{organisation}/members") {
            try await $0.members(of: try $1.number("organisation"))
        },
        AdminAct(.get, "/organisations/{organisation}") { try await $0.organisation(try $1.number("organisation")) },
        AdminAct(.post, "/organisations", hasBody: true, status: .created) { server, call in
            let made = try call.json(NewOrganisation.self)
            return try await server.addOrganisation(made.name, admin: made.admin)
        },
        AdminAct(.delete, "/organisations/{organisation}") {
            try await $0.deleteOrganisation(try $1.number("organisation"))
        },
        AdminAct(.post, "/organisations/{organisation}/handover", hasBody: true) { server, call in
            let (number, body) = (try call.number("organisation"), try call.json(Handover.self))
            return ["account": try await server.handOver(tour: body.tour, of: number, to: body.to)]
        },
    ]

    private static let abuse = [
        AdminAct(.get, "/bans") { try await $0.bans(limit: try $1.rows()) },
        AdminAct(.post, "/bans", hasBody: true) { server, call in
            let made = try call.json(NewBan.self)
            return try await server.ban(made.target, endsAt: made.until?.microseconds, reason: made.reason).ban
        },
        AdminAct(.delete, "/bans/{target}") { try await $0.unban($1.part("target")) },
        AdminAct(.get, "/texts") { server, call in
            let days = call.query("days").map { Int($0) } ?? 1
            guard let days, (1...Int(ServerLimits.smsSpendingDays)).contains(days) else {
                throw Failure.invalid("days")
            }
            return try await server.textMessages(ofDays: days, limit: try call.rows())
        },
        AdminAct(.get, "/audit") { server, call in
            let since = call.query("since").map { JSONForm.date($0) } ?? Date(microseconds: 0)
            guard let since else { throw Failure.invalid("since") }
            return try await server.audit(since: max(0, since.microseconds), limit: try call.rows())
        },
    ]
}

// What a request says, and what no command answers.
extension AdminAct {
    /// The room that a tour has, in bytes.
    private struct Limits: Encodable {
        let tourBytes = ServerLimits.tourBytesMax
        let tourBlobBytes = ServerLimits.tourBlobBytesMax

        private enum CodingKeys: String, CodingKey {
            case tourBytes = "tour_bytes"
            case tourBlobBytes = "tour_blob_bytes"
        }
    }

    private struct NewOrganisation: Decodable {
        var name: String
        /// The number, e-mail address or phone number of the first admin.
        var admin: String
    }

    private struct Handover: Decodable {
        var tour: String
        /// The number, e-mail address or phone number of a member.
        var to: String
    }

    private struct NewBan: Decodable {
        /// See `BanTarget`.
        var target: String
        /// When it ends; nil: when the operator takes it back.
        var until: Date?
        var reason: String?
    }
}

extension Date {
    /// Since 1970, with whole seconds.
    fileprivate var microseconds: Int64 { Int64(timeIntervalSince1970) * 1_000_000 }
}

extension Call {
    /// How many rows a list is to have.
    /// - Throws: `invalidField`.
    fileprivate func rows() throws(Failure) -> Int {
        let rows = query("limit").map { Int($0) } ?? ServerLimits.operatorRows
        guard let rows, (1...ServerLimits.operatorRowsMax).contains(rows) else { throw .invalid("limit") }
        return rows
    }

    /// The number of the account behind which a list begins; 0 for all.
    /// - Throws: `invalidField`.
    fileprivate func behind() throws(Failure) -> Int64 {
        guard let text = query("after") else { return 0 }
        guard let number = Int64(text) else { throw .invalid("after") }
        return number
    }

    /// A part of the path; empty where the act's has none of that name.
    fileprivate func part(_ name: String) -> String { parameters[name] ?? "" }
}
