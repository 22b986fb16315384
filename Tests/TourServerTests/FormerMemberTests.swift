import Foundation
import HTTPTypes
import NIOHTTP1
import ServerRequests
import Testing
import TourCrypto
import TourGroup
import TourModel
import TourServer
import TourWire

/// Goal: what a membership opens at a server ends with it, however it ends, for the account that made the tour known
/// too. Method: a whole server; a table of every route that a membership opens, asked by the account, by the member's
/// token and by a colleague after a removal, a lowered rank and a leave; streams that were open before.
struct FormerMemberTests {
    /// How the keeper's membership, or its rank, ends.
    enum End: CaseIterable {
        case removed, lowered, left
    }

    /// One route, and what it answers. The token of a member who is out is `unauthenticated` everywhere.
    private struct Row {
        var route: String
        var body: String?
        /// The account of a member that was removed or has left.
        var out: Int
        /// The account of a member without its former rank; nil: not asked, since the answer would not end.
        var lowered: Int?
        /// That member's token.
        var token: Int?

        init(_ route: String, _ body: String? = nil, out: Int, lowered: Int?, token: Int?) {
            self.route = route
            self.body = body
            self.out = out
            self.lowered = lowered
            self.token = token
        }
    }

    private static let digits = String(repeating: "0", count: 64)
    private static let keys =
        #"{"keys":[{"epoch":"\#(digits)","wrapped":"\#(Data(count: Limits.wrappedKeyBytes).base64EncodedString())"}]}"#
    private static let offer = #"{"invite":"\#(digits)","challenge":"\#(Data(count: 32).base64EncodedString())"}"#

    /// `PROOF` stands for a proof of the member, `TOUR` for the tour's id.
    private static let rows = [
        Row("GET /groups/{id}", out: 403, lowered: 200, token: 200),
        Row("PATCH /groups/{id}", #"{"name":"Mine"}"#, out: 403, lowered: 403, token: 401),
        Row("DELETE /groups/{id}", out: 403, lowered: 403, token: 401),
        Row("GET /groups/{id}/members", out: 403, lowered: 200, token: 200),
        Row("POST /groups/{id}/bind", "{PROOF}", out: 403, lowered: 204, token: 401),
        Row("GET /groups/{id}/invitations", out: 403, lowered: 403, token: 403),
        Row("POST /groups/{id}/invitations", #"{"email":"x@example.org"}"#, out: 403, lowered: 403, token: 403),
        Row("DELETE /groups/{id}/invitations/{invitation}", out: 403, lowered: 403, token: 403),
        // There is no archive.
        Row("GET /groups/{id}/archive", out: 403, lowered: 404, token: 404),
        Row("GET /groups/{id}/messages", out: 403, lowered: 404, token: 404),
        Row("POST /groups/{id}/archive/keys", keys, out: 403, lowered: 404, token: 404),
        Row("POST /groups/{id}/archive", offer, out: 403, lowered: 403, token: 403),
        Row("DELETE /groups/{id}/archive", out: 403, lowered: 403, token: 403),
        Row("GET /groups/{id}/frontier", out: 403, lowered: 200, token: 200),
        Row("GET /groups/{id}/controls", out: 403, lowered: 200, token: 200),
        Row("GET /groups/{id}/events", out: 403, lowered: 200, token: 200),
        Row("GET /groups/{id}/live", out: 403, lowered: nil, token: nil),
        Row(
            "POST /messages/sync", #"{"messages":[{"localId":"x","groupId":"TOUR"}]}"#, out: 403, lowered: 200,
            token: 200),
        Row("GET /blobs/{hash}", out: 403, lowered: 404, token: 404),
        Row("GET /blobs/{hash}/chunks", out: 403, lowered: 404, token: 404),
        // A byte whose hash is another one.
        Row("PUT /blobs/{hash}", "x", out: 403, lowered: 422, token: 422),
        Row("PUT /organisations/{org}/tours/{tour}", out: 404, lowered: 404, token: 401),
        Row("PUT /organisations/{org}/tours/{tour}/owner/{account}", out: 403, lowered: 403, token: 401),
        Row("DELETE /organisations/{org}/tours/{tour}", out: 403, lowered: 403, token: 401),
    ]

    /// A tour that a guide made known who did not found it, and shared with an organisation. Its founder, who has an
    /// account too, leads it.
    private struct Scene {
        let server: RunningServer
        var tour = SampleTour()
        var ex: TourPerson
        let founder: String
        let founderToken: String
        let account: String
        let token: String
        let mate: String
        let organisation: Int64
        let invitation: Int64
        private let role: EventID

        var path: String { "/groups/\(tour.id.hex)" }

        init(_ server: RunningServer) async throws {
            self.server = server
            ex = tour.join()
            role = tour.act(.role(.init(member: ex.id, rank: .guide, sequence: 0, replaces: []))).id
            account = try await server.newGuide("ex@example.org").access_token
            let controls = tour.guide.log.dropFirst().map { "\"\(Data($0.bytes).base64EncodedString())\"" }
                .joined(separator: ",")
            let proof = ex.proof(.group, host: server.host, nonce: try await server.nonce())
            let founding =
                #"{"genesis":"\#(tour.genesis)","controls":[\#(controls)],"name":"Müze",\#(proof)}"#
            #expect(try await server.send(.POST, "/groups", token: account, founding).status == 201)
            founder = try await server.newGuide("founder@example.org").access_token
            #expect(try await server.found(tour, token: founder).status == 200)
            founderToken = try await server.memberToken(tour.guide)
            #expect(try await server.push(tour.guide.log, token: founderToken).codes == [])
            token = try await server.memberToken(ex)
            mate = try await server.newGuide("mate@example.org").access_token
            organisation = try await Self.organisation(mate, server)
            let member = #"{"email":"ex@example.org","role":"guide"}"#
            let own = "/organisations/\(organisation)"
            #expect(try await server.send(.POST, own + "/invitations", token: mate, member).status == 201)
            #expect(try await server.send(.POST, own + "/join", token: account, "{}").status == 201)
            let place = own + "/tours/\(tour.id.hex)"
            #expect(try await server.send(.PUT, place, token: account).status == 204)
            let guest = #"{"email":"minister@example.org"}"#
            invitation =
                try await server.send(.POST, "/groups/\(tour.id.hex)/invitations", token: founder, guest)
                .decoded(OrganisationTests.Invitation.self).id
        }

        static func organisation(_ token: String, _ server: RunningServer) async throws -> Int64 {
            try await server.send(.POST, "/organisations", token: token, #"{"name":"Tours"}"#)
                .decoded(OrganisationTests.Organisation.self).id
        }

        /// Tells the server of the end, and that somebody came afterwards.
        mutating func end(_ end: End) async throws {
            let event =
                switch end {
                case .removed:
                    tour.act(.remove(.init(member: ex.id, sequence: 0, last: .none, revoked: [], accepted: [])))
                case .lowered: tour.act(.role(.init(member: ex.id, rank: .member, sequence: 0, replaces: [role])))
                case .left: ex.write(.leave, at: SampleTour.wall)
                }
            _ = tour.join()
            let pushed = try await server.push([event, tour.guide.log[tour.guide.log.count - 1]], token: founderToken)
            #expect(pushed.codes == [], "\(end)")
        }

        func ask(_ row: Row, _ token: String) async throws -> Reply {
            let parts = row.route.split(separator: " ").map(String.init)
            let path =
                parts[1].replacing("{id}", with: tour.id.hex).replacing("{tour}", with: tour.id.hex)
                .replacing("{invitation}", with: "\(invitation)").replacing("{hash}", with: digits)
                .replacing("{org}", with: "\(organisation)")
                .replacing("{account}", with: "\(try await server.accountNumber(mate))")
            let query = path.hasPrefix("/blobs") ? "?group=\(tour.id.hex)" : ""
            let proof = ex.proof(.bind, host: server.host, nonce: try await server.nonce())
            let body = row.body?.replacing("TOUR", with: tour.id.hex).replacing("PROOF", with: proof)
            return try await server.send(HTTPMethod(rawValue: parts[0]), path + query, token: token, body)
        }

        func listen(_ token: String) async throws -> RawClient {
            let client = try await RawClient(server.port)
            try client.write(
                "GET \(path)/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n")
            #expect(await client.read(until: ": listening").hasPrefix("HTTP/1.1 200"))
            return client
        }
    }

    private static func run(_ body: @escaping @Sendable (RunningServer) async throws -> Void) async throws {
        try await RunningServer.run(
            change: {
                $0.rules.organisationsFrom = .guide
                // Each route is asked several times within a second.
                $0.isBehindProxy = true
            }, body)
    }

    @Test func everyRouteOfAMembershipIsInTheTable() throws {
        let routes = try ContractTests.parts().routes.map { "\($0.method.rawValue) \($0.path)" }.filter { route in
            ["/groups/{id}", "/messages/sync", "/blobs/", "/tours/{tour}"].contains { route.contains($0) }
        }
        let named = Self.rows.map { $0.route.replacing("{org}", with: "{id}") }
        #expect(Set(routes).symmetricDifference(named).sorted() == [] && routes.count == named.count)
    }

    @Test(arguments: End.allCases) func nothingIsOpenAfterTheEnd(_ end: End) async throws {
        try await Self.run { server async throws in
            var scene = try await Scene(server)
            let streams = [try await scene.listen(scene.account), try await scene.listen(scene.token)]
            try await scene.end(end)
            if end == .lowered {
                // A member without a rank listens on.
                let heads = "\"\(scene.tour.guide.id.hex)\""
                for stream in streams { #expect(await stream.read(until: heads).contains(heads)) }
                for stream in streams { stream.reset() }
            } else {
                let last = "0\r\n\r\n"
                for stream in streams { #expect(await stream.read(until: last).hasSuffix(last)) }
            }
            for row in Self.rows {
                server.clock.advance(seconds: 1)
                let isLowered = end == .lowered
                for (token, status) in [
                    (scene.account, isLowered ? row.lowered : row.out), (scene.token, isLowered ? row.token : 401),
                ] {
                    guard let status else { continue }
                    let reply = try await scene.ask(row, token)
                    #expect(reply.status == status, "\(row.route) \(end): \(reply.status) \(reply.text)")
                    if status >= 400 { #expect(!reply.text.contains("minister"), "\(row.route) \(end)") }
                }
            }
            let listed = try await server.send(.GET, "/groups", token: scene.account).text
            #expect(listed.contains(scene.tour.id.hex) == (end == .lowered), "\(listed)")
            let shown = try await server.send(.GET, scene.path, token: scene.founder).text
            #expect(shown.contains("Müze") && !shown.contains("Mine"))
            let export = try await server.send(
                .POST, "/auth/me/export", token: scene.account, #"{"current_password":"correct horse"}"#)
            let place = try #require(try TarReader(export.body)["tours/\(scene.tour.id.hex)/tour.json"]).text
            #expect(place.contains(end == .lowered ? #""right":"member""# : #""right":"former""#))
            #expect(place.contains("Müze") == (end == .lowered) && place.contains(scene.ex.id.hex), "\(place)")
        }
    }

    /// An organisation reads by its owner's standing, which no handover renews; who leads the tour takes it over.
    @Test(arguments: End.allCases) func colleaguesAndHeirsStandWhereTheKeeperStood(_ end: End) async throws {
        try await Self.run { server async throws in
            var scene = try await Scene(server)
            let (mate, tours) = (scene.mate, "/organisations/\(scene.organisation)/tours")
            let parts = ["", "/members", "/invitations"]
            for part in parts { #expect(try await server.send(.GET, scene.path + part, token: mate).status == 200) }
            try await scene.end(end)
            func isShut(_ step: String) async throws {
                for part in parts {
                    let reply = try await server.send(.GET, scene.path + part, token: mate)
                    #expect(reply.status == 403, "\(step) \(part): \(reply.text)")
                }
                let renamed = try await server.send(.PATCH, scene.path, token: mate, #"{"name":"Mine"}"#)
                #expect(renamed.status == 403, "\(step)")
                let listed = try await server.send(.GET, tours, token: mate).text
                #expect(listed.contains(scene.tour.id.hex) && !listed.contains("Müze"), "\(step): \(listed)")
            }
            try await isShut("colleague")
            let heir = "/owner/\(try await server.accountNumber(mate))"
            let given = try await server.send(.PUT, "\(tours)/\(scene.tour.id.hex)\(heir)", token: mate)
            #expect(given.status == 200 && !given.text.contains("Müze"), "\(given.text)")
            try await isShut("heir")
            let own = try await Scene.organisation(scene.founder, server)
            let shared = "/organisations/\(own)/tours/\(scene.tour.id.hex)"
            #expect(try await server.send(.PUT, shared, token: scene.founder).status == 204)
            #expect(try await server.send(.GET, tours, token: mate).text == "[]")
            let kept = try await server.send(.GET, "/organisations/\(own)/tours", token: scene.founder).text
            #expect(kept.contains("Müze"))
        }
    }

    /// A tour that everybody has left stays with its keeper, who had nobody to give it to.
    @Test func aKeeperWhoLeftStaysWhereNobodyElseLeadsHere() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let account = try await server.newGuide().access_token
            _ = try await server.found(tour, token: account)
            let leave = tour.guide.write(.leave, at: SampleTour.wall)
            let pushed = try await server.push(tour.guide.log, token: try await server.memberToken(tour.guide))
            #expect(pushed.codes == [] && tour.guide.log.last == leave)
            let path = "/groups/\(tour.id.hex)"
            #expect(try await server.send(.PATCH, path, token: account, #"{"name":"Over"}"#).status == 200)
            #expect(try await server.send(.GET, path + "/events", token: account).status == 403)
        }
    }

    /// The owner of a lost phone comes back by another member, which the account is tied to.
    @Test func aNewMemberOfTheKeeperOpensTheTourAgain() async throws {
        try await Self.run { server async throws in
            var scene = try await Scene(server)
            try await scene.end(.removed)
            let phone = scene.tour.join()
            let role = scene.tour.act(.role(.init(member: phone.id, rank: .guide, sequence: 0, replaces: [])))
            let news = Array(scene.tour.guide.log.suffix(2))
            #expect(news.last == role)
            #expect(try await server.push(news, token: scene.founderToken).codes == [])
            let proof = phone.proof(.bind, host: server.host, nonce: try await server.nonce())
            let bound = try await server.send(.POST, scene.path + "/bind", token: scene.account, "{\(proof)}")
            #expect(bound.status == 204)
            let renamed = try await server.send(.PATCH, scene.path, token: scene.account, #"{"name":"Again"}"#)
            #expect(renamed.status == 200)
            #expect(try await server.send(.GET, scene.path + "/members", token: scene.mate).status == 200)
        }
    }

    /// A second device, which joined as a plain member, takes nothing away while the first one leads.
    @Test func aLowerDeviceOfTheKeeperTakesNothingAway() async throws {
        try await Self.run { server async throws in
            var scene = try await Scene(server)
            let tablet = scene.tour.join()
            let news = scene.tour.guide.log.suffix(1)
            #expect(try await server.push(Array(news), token: scene.founderToken).codes == [])
            for account in [scene.account, scene.founder] {
                let before = try await server.send(.GET, scene.path + "/invitations", token: account).status
                let proof = tablet.proof(.bind, host: server.host, nonce: try await server.nonce())
                let bound = try await server.send(.POST, scene.path + "/bind", token: account, "{\(proof)}")
                #expect(bound.status == 202, "\(bound.text)")
                let after = try await server.send(.GET, scene.path + "/invitations", token: account).status
                #expect(before == 200 && after == 200)
            }
            let renamed = try await server.send(.PATCH, scene.path, token: scene.account, #"{"name":"Mine"}"#)
            #expect(renamed.status == 200, "\(renamed.text)")
            // When the first device is out, the second one counts, as what it is.
            try await scene.end(.removed)
            let proof = tablet.proof(.bind, host: server.host, nonce: try await server.nonce())
            let bound = try await server.send(.POST, scene.path + "/bind", token: scene.account, "{\(proof)}")
            #expect(bound.status == 204)
            #expect(try await server.send(.GET, scene.path + "/events", token: scene.account).status == 200)
            let late = try await server.send(.PATCH, scene.path, token: scene.account, #"{"name":"Late"}"#)
            #expect(late.status == 403)
        }
    }
}
