import Foundation
import HTTPTypes
import NIOHTTP1
import ServerBase
import ServerRequests
import Testing
import TourModel
import TourServer

/// Goal: guides of one company share their tours: each sees and does what its role allows, and the tours stay when
/// people go. Method: a whole server over HTTP with an organisation in it, and a table of its routes.
struct OrganisationTests {
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

    /// `{account}` is a member that is none of the callers, and `{owner}` the owner. What ends something comes last.
    private static let rows = [
        Row("GET /organisations", nil, 401, 200, 200, 200, 200),
        Row("POST /organisations", #"{"name":"Other"}"#, 401, 403, 403, 201, 201),
        Row("GET /organisations/{id}", nil, 401, 404, 200, 200, 200),
        Row("PATCH /organisations/{id}", #"{"name":"Bosporus"}"#, 401, 404, 403, 403, 200),
        Row("POST /organisations/{id}/join", "{}", 401, 404, 404, 404, 404),
        Row("GET /organisations/{id}/members", nil, 401, 404, 200, 200, 200),
        Row("PUT /organisations/{id}/members/{account}", #"{"role":"guide"}"#, 401, 404, 403, 403, 200),
        Row("GET /organisations/{id}/invitations", nil, 401, 404, 403, 403, 200),
        Row("POST /organisations/{id}/invitations", #"{"email":"x@example.org"}"#, 401, 404, 403, 403, 201),
        // There is no such invitation.
        Row("DELETE /organisations/{id}/invitations/{invitation}", nil, 401, 404, 403, 403, 404),
        Row("GET /organisations/{id}/tours", nil, 401, 404, 200, 200, 200),
        // Only the owner's own to share.
        Row("PUT /organisations/{id}/tours/{tour}", nil, 401, 404, 404, 204, 404),
        Row("PUT /organisations/{id}/tours/{tour}/owner/{owner}", nil, 401, 404, 403, 200, 200),
        Row("DELETE /organisations/{id}/tours/{tour}", nil, 401, 404, 403, 403, 204),
        Row("DELETE /organisations/{id}/members/{account}", nil, 401, 404, 403, 403, 204),
        Row("DELETE /organisations/{id}", nil, 401, 404, 403, 403, 204),
    ]

    @Test func eachRoleMayWhatTheTableSays() async throws {
        let routes = try ContractTests.parts().routes.map { "\($0.method.rawValue) \($0.path)" }
            .filter { $0.contains(" /organisations") }
        let named = Self.rows.map { $0.route.replacing("{owner}", with: "{account}") }
        #expect(Set(routes).symmetricDifference(named).sorted() == [] && routes.count == named.count)
        try await Self.run { server, scene in
            for row in Self.rows {
                let parts = row.route.split(separator: " ").map(String.init)
                let path = parts[1].replacing("{id}", with: "\(scene.id)").replacing("{tour}", with: scene.tour)
                    .replacing("{account}", with: "\(scene.other)").replacing("{invitation}", with: "999")
                    .replacing("{owner}", with: "\(scene.number(.owner))")
                for (caller, status) in zip(Caller.allCases, row.statuses) {
                    let reply = try await server.send(
                        HTTPMethod(rawValue: parts[0]), path, token: scene.tokens[caller], row.body)
                    #expect(reply.status == status, "\(row.route) \(caller): \(reply.status) \(reply.text)")
                    #expect((status < 400) == (reply.code == nil), "\(row.route) \(caller)")
                }
            }
            let counts = try await server.rowCounts(["organisation_tours", "organisation_invitations"])
            #expect(counts == ["organisation_tours": 0, "organisation_invitations": 0])
        }
    }

    @Test func colleaguesReadATourAndChangeNothing() async throws {
        try await Self.run { server, scene in
            let mine = scene.token(.guide)
            let tour = SampleTour()
            _ = try await server.found(tour, token: scene.token(.owner))
            for (path, colleague, stranger) in [
                ("/groups/\(scene.tour)", 200, 404), ("/groups/\(tour.id.hex)", 403, 403),
            ] {
                #expect(try await server.send(.GET, path, token: mine).status == colleague)
                #expect(try await server.send(.GET, path, token: scene.token(.stranger)).status == stranger)
            }
            // The plan becomes the tour, and is shared as it was.
            let planned = #"{"planned":"\#(scene.tour)"}"#
            let path = "/groups/\(tour.id.hex)"
            #expect(try await server.send(.PATCH, path, token: scene.token(.owner), planned).status == 200)
            for part in ["", "/members", "/invitations"] {
                #expect(try await server.send(.GET, path + part, token: mine).status == 200, "\(part)")
                #expect(try await server.send(.GET, path + part, token: scene.token(.stranger)).status == 403)
            }
            let listed: [Tour] = try await server.send(.GET, "/groups", token: mine).decoded()
            #expect(listed.map(\.id) == [tour.id.hex])
            #expect(try await server.send(.PATCH, path, token: mine, #"{"name":"x"}"#).status == 403)
            let guest = #"{"email":"x@example.org"}"#
            #expect(try await server.send(.POST, path + "/invitations", token: mine, guest).status == 403)
            #expect(try await server.send(.GET, path + "/frontier", token: mine).status == 403)
            #expect(try await server.send(.GET, path + "/events", token: mine).status == 403)
            // Whoever leaves sees it no more.
            let own = scene.path + "/members/\(scene.number(.guide))"
            #expect(try await server.send(.DELETE, own, token: mine).status == 204)
            #expect(try await server.send(.GET, path, token: mine).status == 403)
        }
    }

    @Test func aTourOfAnotherOrganisationIsNotShared() async throws {
        try await Self.run { server, scene in
            let made: Organisation = try await server.send(
                .POST, "/organisations", token: scene.token(.owner), #"{"name":"Other"}"#
            ).decoded()
            let path = "/organisations/\(made.id)/tours/\(scene.tour)"
            let refused = try await server.send(.PUT, path, token: scene.token(.owner))
            #expect(refused.status == 409 && refused.code == "already-shared")
            // An admin of another organisation has no power over it.
            #expect(try await server.send(.DELETE, path, token: scene.token(.owner)).status == 404)
            let handover = path + "/owner/\(scene.number(.owner))"
            #expect(try await server.send(.PUT, handover, token: scene.token(.owner)).status == 404)
            #expect(try await server.send(.GET, "/organisations/\(made.id)", token: scene.token(.admin)).status == 404)
            // Deleted, a plan is no longer shared.
            #expect(try await server.send(.DELETE, "/groups/" + scene.tour, token: scene.token(.owner)).status == 204)
            #expect(try await server.rowCounts(["organisation_tours"]) == ["organisation_tours": 0])
        }
    }

    @Test func invitationsAreForOnePersonAndATime() async throws {
        try await Self.run { server, scene in
            func join(_ token: String, _ code: String? = nil) async throws -> Reply {
                let body = code.map { #"{"code":"\#($0)"}"# } ?? "{}"
                return try await server.send(.POST, scene.path + "/join", token: token, body)
            }
            let stranger = scene.token(.stranger)
            try await scene.invite("stranger@example.org", role: "admin")
            // Nobody has proven the address: anybody may have typed it.
            #expect(try await server.send(.GET, "/organisations", token: stranger).text == "[]")
            #expect(try await join(stranger).status == 404)
            try await server.prove("stranger@example.org", token: stranger)
            let seen: [Organisation] = try await server.send(.GET, "/organisations", token: stranger).decoded()
            #expect(seen.map(\.role) == ["admin"] && seen.allSatisfy { $0.id == scene.id && $0.name == "Tours" })
            let number = try #require(seen.first?.invitation)
            let declined = try await server.send(
                .DELETE, scene.path + "/invitations/\(number)", token: stranger)
            #expect(declined.status == 204)
            #expect(try await join(stranger).status == 404)
            let made: Invitation = try await server.send(
                .POST, scene.path + "/invitations", token: scene.token(.admin), "{}"
            ).decoded()
            let code = try #require(made.code)
            #expect(try !server.databaseHolds(code.utf8))
            let list = try await server.send(.GET, scene.path + "/invitations", token: scene.token(.admin))
            #expect(!list.text.contains(code))
            #expect(try await join(stranger, "ABCD-EFGH-IJKL-MNOP").code == "bad-code")
            let guest = try await server.send(.POST, "/auth/anonymous").decoded(Tokens.self).access_token
            #expect(try await join(guest, code).code == "email-not-proven")
            #expect(try await join(stranger, code.lowercased()).status == 201)
            // Used up.
            let late = try await server.newGuide("late@example.org").access_token
            #expect(try await join(late, code).code == "bad-code")
            try await scene.invite("late@example.org")
            server.clock.advance(seconds: ServerLimits.organisationInvitationLifetime)
            let again = try await server.logIn("late@example.org").decoded(Tokens.self).access_token
            #expect(try await join(again).status == 404)
            #expect(try await server.send(.GET, "/organisations", token: again).text == "[]")
        }
    }

    @Test func onlyAdminsSeeContacts() async throws {
        try await Self.run { server, scene in
            let all = try await scene.members()
            #expect(all.map(\.role) == ["admin", "guide", "guide", "guide"])
            #expect(all.map(\.tours) == [0, 1, 0, 0] && all.allSatisfy { $0.email != nil })
            let seen = try await scene.members(scene.token(.guide))
            #expect(seen.map(\.account) == all.map(\.account) && seen.allSatisfy { $0.email == nil })
        }
    }

    @Test func anAdminHandsOverWhatAMemberHad() async throws {
        try await Self.run { server, scene in
            let own = try await scene.plan("Own")
            let handover = scene.path + "/tours/\(scene.tour)/owner/"
            let moved = try await server.send(
                .PUT, handover + "\(scene.number(.guide))", token: scene.token(.admin))
            #expect(try moved.decoded(Tour.self).account == scene.number(.guide))
            // To somebody who is in, and of a tour that was shared.
            #expect(
                try await server.send(.PUT, handover + "\(scene.number(.stranger))", token: scene.token(.admin)).status
                    == 404)
            let unshared = scene.path + "/tours/\(own)/owner/\(scene.number(.admin))"
            #expect(try await server.send(.PUT, unshared, token: scene.token(.admin)).status == 404)
            // The owner before reads on, as every member, and changes nothing.
            let path = "/groups/" + scene.tour
            #expect(try await server.send(.GET, path, token: scene.token(.owner)).status == 200)
            #expect(try await server.send(.PATCH, path, token: scene.token(.owner), #"{"name":"x"}"#).status == 403)
            #expect(try await server.send(.PATCH, path, token: scene.token(.guide), #"{"name":"x"}"#).status == 200)
            let entry = try await server.asOperator { try await $0.audit(limit: 20) }.rows
                .first { $0.action == "tour-handed-over" }
            #expect(entry?.actor == "account:\(scene.number(.admin))" && entry?.account == scene.number(.guide))
            #expect(entry?.detail == "organisation \(scene.id), from account \(scene.number(.owner))")
        }
    }

    @Test func toursStayWhenTheirOwnerGoes() async throws {
        try await Self.run { server, scene in
            let (admin, guide) = (scene.token(.admin), scene.token(.guide))
            let own = scene.path + "/members/\(scene.number(.owner))"
            #expect(try await server.send(.DELETE, own, token: scene.token(.owner)).status == 204)
            #expect(try await scene.owners(admin) == [scene.tour: scene.number(.admin)])
            // The last admin stays while there are others, or makes another one.
            let last = scene.path + "/members/\(scene.number(.admin))"
            for (method, body) in [(HTTPMethod.DELETE, String?.none), (.PUT, #"{"role":"guide"}"#)] {
                #expect(try await server.send(method, last, token: admin, body).code == "last-admin")
            }
            // Nothing prevents the deletion of an account: who is in for the longest follows.
            #expect(try await server.send(.DELETE, "/auth/me", token: admin).status == 204)
            #expect(try await scene.members(guide).map(\.role) == ["admin", "guide"])
            #expect(try await scene.owners(guide) == [scene.tour: scene.number(.guide)])
            let removed = scene.path + "/members/\(scene.other)"
            #expect(try await server.send(.DELETE, removed, token: guide).status == 204)
            // With the last member the organisation goes, and its plans with their owner.
            let export = try await server.send(.GET, "/auth/me/export", token: guide)
            #expect(export.text.contains(#""organisations":[{"#) && export.text.contains(scene.tour))
            #expect(try await server.send(.DELETE, "/auth/me", token: guide).status == 204)
            let tables = ["organisations", "organisation_members", "organisation_tours", "tours"]
            #expect(try await server.rowCounts(tables).values.allSatisfy { $0 == 0 })
            for caller in [Caller.admin, .guide] {
                #expect(try await server.tables(where: "account", is: scene.number(caller)) == ["audit"])
            }
        }
    }

    /// Whichever request is first, one admin is left.
    @Test func twoAdminsRemoveEachOther() async throws {
        try await Self.run { server, scene in
            let role = scene.path + "/members/\(scene.number(.owner))"
            let made = try await server.send(.PUT, role, token: scene.token(.admin), #"{"role":"admin"}"#)
            #expect(made.status == 200)
            let pairs = [(Caller.admin, Caller.owner), (.owner, .admin)]
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for (caller, target) in pairs {
                    group.addTask {
                        let path = scene.path + "/members/\(scene.number(target))"
                        return try await server.send(.DELETE, path, token: scene.token(caller)).status
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }.sorted()
            }
            #expect(statuses == [204, 404])
            let left = try await scene.members(scene.token(.guide))
            #expect(left.map(\.role).sorted() == ["admin", "guide", "guide"])
            let owners = try await scene.owners(scene.token(.guide))
            #expect(owners == [scene.tour: left.first { $0.role == "admin" }?.account])
        }
    }

    @Test func aRequestThatComesTwiceIsCarriedOutOnce() async throws {
        try await Self.run { server, scene in
            let key = [("Idempotency-Key", "k1")]
            let replies = [
                try await server.send(
                    .POST, scene.path + "/invitations", token: scene.token(.admin), "{}", headers: key),
                try await server.send(
                    .POST, scene.path + "/invitations", token: scene.token(.admin), "{}", headers: key),
            ]
            #expect(replies.map(\.status) == [201, 201] && replies[0].text == replies[1].text)
            #expect(try await server.rowCounts(["organisation_invitations"]) == ["organisation_invitations": 1])
        }
    }

    @Test func theOperatorMakesAndEndsThem() async throws {
        try await RunningServer.run { server async throws in
            let office = try await server.newGuide("office@example.org").access_token
            #expect(try await server.send(.POST, "/organisations", token: office, #"{"name":"x"}"#).status == 403)
            let made = try await server.asOperator {
                try await $0.addOrganisation("Tours", admin: "office@example.org")
            }
            #expect(made.members == 1 && made.admins == 1 && made.name == "Tours")
            let plan: Tour = try await server.send(.POST, "/groups", token: office, #"{"name":"Galata"}"#).decoded()
            let path = "/organisations/\(made.id)"
            #expect(try await server.send(.PUT, path + "/tours/" + plan.id, token: office).status == 204)
            let guide = try await server.newGuide().access_token
            #expect(
                try await server.send(
                    .POST, path + "/invitations", token: office, #"{"email":"guide@example.org"}"#
                ).status == 201)
            #expect(try await server.send(.POST, path + "/join", token: guide, "{}").status == 201)
            let page = try await server.asOperator { try await $0.organisations(limit: 5) }
            #expect(page.rows.map(\.tours) == [1] && page.rows.map(\.members) == [2] && !page.hasMore)
            let owner = try await server.asOperator {
                try await $0.handOver(tour: plan.id, of: made.id, to: "guide@example.org")
            }
            let members = try await server.asOperator { try await $0.members(of: made.id) }
            #expect(members.map(\.tours) == [0, 1] && members.last?.account == owner)
            for heir in ["nobody@example.org", "99"] {
                let refused = await #expect(throws: Failure.self) {
                    _ = try await server.asOperator { try await $0.handOver(tour: plan.id, of: made.id, to: heir) }
                }
                #expect(refused?.code == .notFound)
            }
            _ = try await server.asOperator { try await $0.deleteOrganisation(made.id) }
            #expect(try await server.send(.GET, path, token: office).status == 404)
            // The tour stays with its owner, and nobody else sees it.
            #expect(try await server.send(.GET, "/groups/" + plan.id, token: guide).status == 200)
            #expect(try await server.send(.GET, "/groups/" + plan.id, token: office).status == 404)
            let log = try await server.asOperator { try await $0.audit(limit: 50) }.rows.map(\.action)
            #expect(
                Set(log).isSuperset(of: [
                    "organisation-made", "organisation-joined", "tour-shared", "tour-handed-over",
                    "organisation-deleted",
                ]))
        }
    }
}
