import Foundation
import HTTPTypes
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourModel
import TourServer
import TourWire

/// Goal: each route answers each kind of caller as the contract says. Method: a table of all routes, held against the
/// server's own; a whole server with two tours, and requests that only the caller's right decides.
struct RouteRightsTests {
    /// Who calls.
    private enum Caller: CaseIterable {
        case nobody
        /// An account without a part in the tour.
        case stranger
        /// An account that may make tours known, and leads another one.
        case otherGuide
        /// The token of a member of another tour.
        case otherMember
        /// A token that was good until the member was removed.
        case removed
        /// The token of a member.
        case member
        /// The account that made the tour known.
        case guide
    }

    /// One route: a body that it can read, and what each caller is answered, in the order of `Caller`.
    private struct Row {
        var route: String
        var body: String?
        var statuses: [Int]

        init(_ route: String, _ body: String? = nil, _ statuses: Int...) {
            self.route = route
            self.body = body
            self.statuses = statuses
        }
    }

    private static let proof =
        #""memberId":"\#(id)","nonce":"x","signature":"\#(zeros)""#
    private static let id = String(repeating: "0", count: 64)
    private static let zeros = Data(count: 64).base64EncodedString()

    private static let keys = #"{"keys":[{"epoch":"\#(id)","wrapped":"\#(wrapped)"}]}"#
    private static let wrapped = Data(count: Limits.wrappedKeyBytes).base64EncodedString()
    private static let offer = #"{"invite":"\#(id)","challenge":"\#(Data(count: 32).base64EncodedString())"}"#

    /// `TOUR` stands for the tour's id. What ends a session or an account comes last.
    private static func rows(_ genesis: String) -> [Row] {
        open + mailbox + notebook + organisations + [
            Row("GET /auth/me", nil, 401, 200, 200, 401, 401, 401, 200),
            // The guide's address is the operator's word already.
            Row("POST /auth/email/request", nil, 401, 202, 204, 401, 401, 401, 204),
            Row("POST /auth/email/verify", #"{"code":"000000"}"#, 401, 401, 401, 401, 401, 401, 401),
            Row("GET /auth/me/export", nil, 401, 200, 200, 401, 401, 401, 200),
            // Without the password that is there.
            Row("POST /auth/me/export", "{}", 401, 422, 422, 401, 401, 401, 422),
            Row("POST /auth/password", #"{"password":"battery staple"}"#, 401, 422, 422, 401, 401, 401, 422),
            Row("PUT /accounts/{id}/role", #"{"role":"admin"}"#, 401, 403, 403, 401, 401, 401, 403),
            Row("GET /groups", nil, 401, 200, 200, 200, 401, 200, 200),
            Row("POST /groups", #"{"genesis":"\#(genesis)",\#(proof)}"#, 401, 403, 403, 401, 401, 401, 403),
            Row("GET /groups/{id}", nil, 401, 403, 403, 403, 401, 200, 200),
            Row("PATCH /groups/{id}", #"{"isActive":true}"#, 401, 403, 403, 401, 401, 401, 200),
            // Founded ones belong to their members.
            Row("DELETE /groups/{id}", nil, 401, 403, 403, 401, 401, 401, 403),
            Row("GET /groups/{id}/members", nil, 401, 403, 403, 403, 401, 200, 200),
            // A member that the tour does not have.
            Row("POST /groups/{id}/bind", "{\(proof)}", 401, 403, 403, 401, 401, 401, 403),
            Row("GET /groups/{id}/invitations", nil, 401, 403, 403, 403, 401, 403, 200),
            Row(
                "POST /groups/{id}/invitations", #"{"email":"x@example.org"}"#, 401, 403, 403, 403, 401, 403, 201),
            // There is no such invitation.
            Row("DELETE /groups/{id}/invitations/{invitation}", nil, 401, 403, 403, 403, 401, 403, 404),
            // First without an archive, which is then made, and gone.
            Row("GET /groups/{id}/archive", nil, 401, 403, 403, 403, 401, 404, 404),
            Row("GET /groups/{id}/messages", nil, 401, 403, 403, 403, 401, 404, 404),
            Row("POST /groups/{id}/archive/keys", keys, 401, 403, 403, 403, 401, 404, 404),
            Row("POST /groups/{id}/archive", offer, 401, 403, 403, 403, 401, 403, 200),
            Row("DELETE /groups/{id}/archive", nil, 401, 403, 403, 403, 401, 403, 204),
            Row("GET /blobs/{hash}", nil, 401, 403, 403, 403, 401, 404, 404),
            Row("GET /blobs/{hash}/chunks", nil, 401, 403, 403, 403, 401, 404, 404),
            // A byte whose hash is another one.
            Row("PUT /blobs/{hash}", "x", 401, 403, 403, 403, 401, 422, 422),
            Row("POST /api/v1/sync/delta", "{}", 401, 200, 200, 401, 401, 401, 200),
            Row("POST /api/v1/bookmarks/upsert", #"{"bookmarks":[]}"#, 401, 200, 200, 401, 401, 401, 200),
            Row("GET /api/v1/profile", nil, 401, 200, 200, 401, 401, 401, 200),
            // There is no such file.
            Row("GET /api/v1/files/{id}", nil, 401, 404, 404, 401, 401, 401, 404),
            Row("POST /auth/me/email", #"{"email":"new@example.org"}"#, 401, 202, 202, 401, 401, 401, 202),
            // Without the password that is there.
            Row(
                "PUT /auth/me/email", #"{"email":"new@example.org","code":"000000"}"#, 401, 422, 422, 401, 401, 401, 422
            ),
            Row(
                "PUT /auth/me/phone", #"{"phone":"+905550000000","code":"000000"}"#, 401, 422, 422, 401, 401, 401, 422),
            Row("GET /auth/second-factor", nil, 401, 200, 200, 401, 401, 401, 200),
            // The stranger has not proven its address.
            Row("POST /auth/second-factor", "{}", 401, 409, 422, 401, 401, 401, 422),
            Row("POST /auth/second-factor/confirm", #"{"code":"000000"}"#, 401, 401, 401, 401, 401, 401, 401),
            Row("POST /auth/second-factor/recovery-codes", "{}", 401, 404, 404, 401, 401, 401, 404),
            Row("POST /auth/second-factor/remove", "{}", 401, 404, 404, 401, 401, 401, 404),
            Row("GET /auth/sessions", nil, 401, 200, 200, 401, 401, 401, 200),
            Row("DELETE /auth/sessions", nil, 401, 204, 204, 401, 401, 401, 204),
            // There is no such session.
            Row("DELETE /auth/sessions/{id}", nil, 401, 404, 404, 401, 401, 401, 404),
            Row("POST /auth/logout", nil, 401, 204, 204, 401, 401, 401, 204),
            Row("DELETE /auth/me", nil, 401, 401, 401, 401, 401, 401, 401),
        ]
    }

    /// What members of one may do is in `OrganisationTests`; of one that there is not, nobody's right is told.
    private static let organisations = [
        Row("GET /organisations", nil, 401, 200, 200, 401, 401, 401, 200),
        // The operator alone makes them.
        Row("POST /organisations", #"{"name":"x"}"#, 401, 403, 403, 401, 401, 401, 403),
        Row("GET /organisations/{id}", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("PATCH /organisations/{id}", #"{"name":"x"}"#, 401, 404, 404, 401, 401, 401, 404),
        Row("DELETE /organisations/{id}", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("POST /organisations/{id}/join", "{}", 401, 404, 404, 401, 401, 401, 404),
        Row("GET /organisations/{id}/members", nil, 401, 404, 404, 401, 401, 401, 404),
        Row(
            "PUT /organisations/{id}/members/{account}", #"{"role":"admin"}"#, 401, 404, 404, 401, 401, 401, 404),
        Row("DELETE /organisations/{id}/members/{account}", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("GET /organisations/{id}/invitations", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("POST /organisations/{id}/invitations", "{}", 401, 404, 404, 401, 401, 401, 404),
        Row("DELETE /organisations/{id}/invitations/{invitation}", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("GET /organisations/{id}/tours", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("PUT /organisations/{id}/tours/{tour}", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("DELETE /organisations/{id}/tours/{tour}", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("PUT /organisations/{id}/tours/{tour}/owner/{account}", nil, 401, 404, 404, 401, 401, 401, 404),
    ]

    private static let open = [
        Row("GET /healthz", nil, 200, 200, 200, 200, 200, 200, 200),
        Row("GET /readyz", nil, 200, 200, 200, 200, 200, 200, 200),
        Row("GET /metrics", nil, 200, 200, 200, 200, 200, 200, 200),
        Row("GET /openapi.yaml", nil, 200, 200, 200, 200, 200, 200, 200),
        Row("GET /.well-known/jwks.json", nil, 200, 200, 200, 200, 200, 200, 200),
        Row(
            "POST /auth/signup", #"{"email":"guide@example.org","password":"correct horse"}"#, 409, 409, 409, 409, 409,
            409, 409),
        Row(
            "POST /auth/login", #"{"email":"guide@example.org","password":"wrong horse"}"#, 401, 401, 401, 401, 401,
            401,
            401),
        Row("POST /auth/anonymous", nil, 201, 201, 201, 201, 201, 201, 201),
        Row("POST /auth/refresh", #"{"refresh_token":"x"}"#, 401, 401, 401, 401, 401, 401, 401),
        Row(
            "POST /auth/sms/verify", #"{"phone":"+905551112233","code":"000000"}"#, 401, 401, 401, 401, 401, 401, 401),
        // The first three go out, whoever asks; then the phone has had enough.
        Row("POST /auth/sms/request", #"{"phone":"+905551112233"}"#, 202, 202, 202, 429, 429, 429, 429),
        Row(
            "POST /auth/password/reset", #"{"phone":"+905550000000","code":"000000","password":"battery staple"}"#, 401,
            401, 401, 401, 401, 401, 401),
        Row("POST /auth/password/forgot", #"{"phone":"+905550000000"}"#, 202, 202, 202, 429, 429, 429, 429),
        Row("POST /auth/member/nonce", "{}", 200, 200, 200, 200, 200, 200, 200),
        Row("POST /auth/member", #"{"groupId":"TOUR",\#(proof)}"#, 403, 403, 403, 403, 403, 403, 403),
    ]

    private static let mailbox = [
        // A member's token names its tour: what is not of it is refused entry by entry.
        Row(
            "POST /messages/sync", #"{"messages":[{"localId":"x","groupId":"TOUR"}]}"#, 401, 403, 403, 200, 401, 200,
            200),
        Row("GET /groups/{id}/frontier", nil, 401, 403, 403, 403, 401, 200, 200),
        Row("GET /groups/{id}/controls", nil, 401, 403, 403, 403, 401, 200, 200),
        Row("GET /groups/{id}/events", nil, 401, 403, 403, 403, 401, 200, 200),
        // Whoever may listen would listen for minutes.
        Row("GET /groups/{id}/live", nil, 401, 403, 403, 403, 401),
    ]

    /// Every account has its own; of things that there are not, nobody's right is told.
    private static let notebook = [
        Row("GET /notes", nil, 401, 200, 200, 401, 401, 401, 200),
        Row("POST /notes", #"{"title":"x","content":""}"#, 401, 201, 201, 401, 401, 401, 201),
        Row("GET /notes/{id}", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("PUT /notes/{id}", "{}", 401, 404, 404, 401, 401, 401, 404),
        Row("DELETE /notes/{id}", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("GET /notes/{id}/pdf", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("GET /collections", nil, 401, 200, 200, 401, 401, 401, 200),
        Row("POST /collections", #"{"title":"x"}"#, 401, 201, 201, 401, 401, 401, 201),
        Row("GET /collections/{id}", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("PATCH /collections/{id}", "{}", 401, 404, 404, 401, 401, 401, 404),
        Row("DELETE /collections/{id}", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("GET /collections/{id}/pdf", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("POST /collections/{id}/samples", #"{"sampleId":"x"}"#, 401, 404, 404, 401, 401, 401, 404),
        Row("PUT /collections/{id}/samples", #"{"sampleIds":[]}"#, 401, 404, 404, 401, 401, 401, 404),
        Row("DELETE /collections/{id}/samples/{sampleId}", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("GET /samples", nil, 401, 200, 200, 401, 401, 401, 200),
        Row("POST /samples", #"{"title":"x"}"#, 401, 201, 201, 401, 401, 401, 201),
        Row("GET /samples/{id}", nil, 401, 404, 404, 401, 401, 401, 404),
        Row("PATCH /samples/{id}", "{}", 401, 404, 404, 401, 401, 401, 404),
        Row("DELETE /samples/{id}", nil, 401, 404, 404, 401, 401, 401, 404),
    ]

    @Test func everyRouteIsInTheTable() throws {
        let routes = try ContractTests.parts().routes.map { "\($0.method.rawValue) \($0.path)" }
        let rows = Self.rows("").map(\.route)
        #expect(Set(routes).symmetricDifference(rows).sorted() == [])
        #expect(rows.count == routes.count)
    }

    @Test func eachCallerIsAnsweredAsTheContractSays() async throws {
        try await RunningServer.run(change: { $0.isBehindProxy = true }) { server async throws in
            let scene = try await Scene(server)
            for (number, row) in Self.rows(scene.tour.genesis).enumerated() {
                for (caller, status) in zip(Caller.allCases, row.statuses) {
                    let reply = try await Self.ask(row, scene, caller, address: number, server)
                    #expect(reply.status == status, "\(row.route) \(caller): \(reply.status) \(reply.text)")
                    #expect((status < 400) == (reply.code == nil), "\(row.route) \(caller)")
                    // Who is refused for lack of a right reads nothing of what there is.
                    if [401, 403].contains(status), row.route.contains("/groups") {
                        #expect(!reply.text.contains(scene.tour.guide.id.hex), "\(row.route) \(caller)")
                    }
                }
            }
            let after = try await server.rowCounts(["tours", "controls", "events", "seats"])
            #expect(after == ["tours": 2, "controls": 6, "events": 0, "seats": 2])
        }
    }

    /// Everybody's requests come from an address of their own: the rates have their own tests.
    private static func ask(
        _ row: Row, _ scene: Scene, _ caller: Caller, address: Int, _ server: RunningServer
    ) async throws -> Reply {
        let parts = row.route.split(separator: " ").map(String.init)
        let tour = scene.tour.id.hex
        let path =
            parts[1].replacing("{id}", with: parts[1].hasPrefix("/accounts") ? "1" : tour)
            .replacing("{invitation}", with: "999").replacing("{hash}", with: Self.id)
            .replacing("{account}", with: "1").replacing("{tour}", with: tour)
            .replacing("{sampleId}", with: "sample_x") + (parts[1].hasPrefix("/blobs") ? "?group=\(tour)" : "")
        return try await server.send(
            HTTPMethod(rawValue: parts[0]), path, token: scene.tokens[caller],
            row.body?.replacing("TOUR", with: scene.tour.id.hex),
            headers: parts[1] == "/metrics" ? [] : [("X-Forwarded-For", "10.0.0.\(address + 1)")])
    }

    /// Two tours that the server knows, and a token for each caller.
    private struct Scene {
        var tour = SampleTour()
        var tokens: [Caller: String] = [:]

        init(_ server: RunningServer) async throws {
            var other = SampleTour()
            let member = tour.join()
            let leaver = tour.join()
            let foreigner = other.join()
            tokens[.guide] = try await server.newGuide().access_token
            tokens[.otherGuide] = try await server.newGuide("other@example.org").access_token
            tokens[.stranger] = try await server.newAccount("stranger@example.org").access_token
            _ = try await server.found(tour, token: tokens[.guide] ?? "")
            _ = try await server.found(other, token: tokens[.otherGuide] ?? "")
            let controls = Array(tour.guide.log.dropFirst())
            tokens[.member] = try await server.memberToken(member, controls: controls)
            tokens[.removed] = try await server.memberToken(leaver)
            tokens[.otherMember] = try await server.memberToken(
                foreigner, controls: Array(other.guide.log.dropFirst()))
            let removal = ControlBody.Remove(member: leaver.id, sequence: 0, last: .none, revoked: [], accepted: [])
            let event = tour.guide.write(.remove(removal), at: SampleTour.wall)
            let pushed = try await server.push([event], token: try await server.memberToken(tour.guide))
            #expect(pushed.statuses == ["stored"])
        }
    }
}

extension RunningServer {
    /// How many rows the tables have.
    func rowCounts(_ tables: [String]) async throws -> [String: Int64] {
        let storage = try TestDatabase.storage(of: directory)
        var counts: [String: Int64] = [:]
        for table in tables {
            counts[table] = try await storage.read { sql throws(Failure) in
                try sql.row("SELECT COUNT(*) FROM \(table)", [])?.integer(0) ?? 0
            }
        }
        try await storage.close()
        return counts
    }
}
