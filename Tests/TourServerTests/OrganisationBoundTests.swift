import NIOHTTP1
import ServerBase
import ServerRequests
import Testing
import TourCrypto
import TourModel
import TourServer
import TourWire

/// Goal: nobody comes back into an organisation, or brings a tour into one, without the right to; and lists and quotas
/// hold whatever is shared. Method: as `OrganisationTests`.
struct OrganisationBoundTests {
    private typealias Scene = OrganisationTests.Scene

    /// Makes an invitation for whoever has its code.
    private static func code(_ scene: Scene, by token: String, role: String) async throws -> String {
        let made: OrganisationTests.Invitation = try await scene.server.send(
            .POST, scene.path + "/invitations", token: token, #"{"role":"\#(role)"}"#
        ).decoded()
        return try #require(made.code)
    }

    private static func join(_ scene: Scene, _ token: String, _ code: String? = nil) async throws -> Reply {
        let body = code.map { #"{"code":"\#($0)"}"# } ?? "{}"
        return try await scene.server.send(.POST, scene.path + "/join", token: token, body)
    }

    @Test func whoIsNoAdminAnyMoreHasNoInvitationLeft() async throws {
        try await OrganisationTests.run { server, scene in
            let (office, owner) = (scene.token(.admin), scene.token(.owner))
            let path = scene.path + "/members/\(scene.number(.owner))"
            func setRole(_ role: String) async throws {
                #expect(try await server.send(.PUT, path, token: office, #"{"role":"\#(role)"}"#).status == 200)
            }
            try await setRole("admin")
            let first = try await Self.code(scene, by: owner, role: "admin")
            let kept = try await Self.code(scene, by: office, role: "guide")
            try await setRole("guide")
            try await server.prove("stranger@example.org", token: scene.token(.stranger))
            #expect(try await Self.join(scene, scene.token(.stranger), first).code == "bad-code")

            try await setRole("admin")
            let second = try await Self.code(scene, by: owner, role: "admin")
            for (token, email) in [(owner, "x@example.org"), (office, "owner@example.org")] {
                let body = #"{"email":"\#(email)","role":"admin"}"#
                let made = try await server.send(.POST, scene.path + "/invitations", token: token, body)
                #expect(made.status == 201)
            }
            // A member is let in no second time, and the invitation that names it stays open.
            #expect(try await Self.join(scene, owner).status == 200)
            #expect(try await server.send(.DELETE, path, token: office).status == 204)
            #expect(try await Self.join(scene, owner, second).code == "bad-code")
            #expect(try await Self.join(scene, owner).status == 404)
            #expect(try await server.rowCounts(["organisation_invitations"]) == ["organisation_invitations": 1])
            // What another admin made stays.
            #expect(try await Self.join(scene, scene.token(.stranger), kept).status == 201)
        }
    }

    /// Whoever leads a tour replaces a plan with it, and gives its owner's account away to no organisation.
    @Test func aPlanBringsNobodyElsesTourIn() async throws {
        try await OrganisationTests.run { server, scene in
            let (owner, office) = (scene.token(.owner), scene.token(.admin))
            let theirs = try await server.newGuide("theirs@example.org").access_token
            var tour = SampleTour()
            let member = tour.join()
            _ = tour.act(.role(.init(member: member.id, rank: .guide, sequence: 0, replaces: [], controls: [])))
            #expect(try await server.found(tour, token: theirs).status == 201)
            _ = try await server.memberToken(member, controls: Array(tour.guide.log.dropFirst()))
            let path = "/groups/\(tour.id.hex)"
            let proof = member.proof(.bind, host: server.host, nonce: try await server.nonce())
            #expect(try await server.send(.POST, path + "/bind", token: owner, "{\(proof)}").status == 204)
            let planned = #"{"planned":"\#(scene.tour)"}"#
            #expect(try await server.send(.PATCH, path, token: owner, planned).status == 200)
            #expect(try await scene.owners(office) == [:])
            #expect(try await server.send(.GET, path, token: office).status == 403)
            let handover = scene.path + "/tours/\(tour.id.hex)/owner/\(scene.number(.owner))"
            #expect(try await server.send(.PUT, handover, token: office).status == 404)
        }
    }

    @Test func onlyAnAccountThatIsKnownMakesOne() async throws {
        try await RunningServer.run(change: { $0.rules.organisationsFrom = .user }) { server async throws in
            let typed = try await server.newAccount("office@example.org").access_token
            let guest = try await server.send(.POST, "/auth/anonymous").decoded(Tokens.self).access_token
            for token in [typed, guest] {
                let refused = try await server.send(.POST, "/organisations", token: token, #"{"name":"x"}"#)
                #expect(refused.status == 409 && refused.code == "email-not-proven")
            }
            for name in ["office@example.org", "1", "2"] {
                let refused = await #expect(throws: Failure.self) {
                    _ = try await server.asOperator { try await $0.addOrganisation("Tours", admin: name) }
                }
                #expect(refused?.code == .emailNotProven, "\(name)")
            }
            #expect(try await server.rowCounts(["organisations"]) == ["organisations": 0])
            try await server.prove("office@example.org", token: typed)
            #expect(try await server.send(.POST, "/organisations", token: typed, #"{"name":"x"}"#).status == 201)
            let made = try await server.asOperator {
                try await $0.addOrganisation("Tours", admin: "office@example.org")
            }
            #expect(made.members == 1 && made.admins == 1 && made.tours == 0)
        }
    }

    @Test func aHandoverKeepsToTheQuotaOfPlans() async throws {
        try await OrganisationTests.run { server, scene in
            let (office, heir) = (scene.token(.admin), scene.number(.admin))
            var last = ""
            for _ in 0..<ServerLimits.plannedToursMax {
                let made = try await server.send(.POST, "/groups", token: office, #"{"name":"Own"}"#)
                last = try made.decoded(OrganisationTests.Tour.self).id
            }
            let handover = scene.path + "/tours/\(scene.tour)/owner/"
            let refused = try await server.send(.PUT, handover + "\(heir)", token: scene.token(.owner))
            #expect(refused.status == 507 && refused.code == "quota")
            let failure = await #expect(throws: Failure.self) {
                _ = try await server.asOperator {
                    try await $0.handOver(tour: scene.tour, of: scene.id, to: "office@example.org")
                }
            }
            #expect(failure?.code == .quota)
            #expect(try await scene.owners(office) == [scene.tour: scene.number(.owner)])
            #expect(try await server.send(.DELETE, "/groups/" + last, token: office).status == 204)
            #expect(try await server.send(.PUT, handover + "\(heir)", token: scene.token(.owner)).status == 200)
            // Again to whoever has it, at the maximum: nothing changes.
            #expect(try await server.send(.PUT, handover + "\(heir)", token: office).status == 200)
            // Of who is removed they go to the admin in any case.
            let more = try await scene.plan("More")
            let shared = scene.path + "/tours/" + more
            #expect(try await server.send(.PUT, shared, token: scene.token(.owner)).status == 204)
            let member = scene.path + "/members/\(scene.number(.owner))"
            #expect(try await server.send(.DELETE, member, token: office).status == 204)
            #expect(try await scene.owners(office) == [scene.tour: heir, more: heir])
        }
    }

    /// The right to change a tour is looked at in the transaction of the change.
    @Test func aPlanIsHandedOverOrDeletedByWhoeverHadItButNotBoth() async throws {
        try await OrganisationTests.run { server, scene in
            for round in 0..<20 {
                server.clock.advance(seconds: 1)
                let plan = try await scene.plan("\(round)")
                let shared = scene.path + "/tours/" + plan
                #expect(try await server.send(.PUT, shared, token: scene.token(.owner)).status == 204)
                let handover = shared + "/owner/\(scene.number(.admin))"
                async let deletion = server.send(.DELETE, "/groups/" + plan, token: scene.token(.owner))
                async let change = server.send(.PUT, handover, token: scene.token(.admin))
                let (deleted, handed) = try await (deletion, change)
                #expect(
                    (deleted.status == 204) != (handed.status == 200),
                    "round \(round): \(deleted.status) \(handed.status)")
            }
        }
    }

    @Test func aColleagueDeclinesAnInvitationInPerson() async throws {
        try await OrganisationTests.run { server, scene in
            let path = "/groups/\(scene.tour)/invitations"
            func invite(_ email: String) async throws -> Int64 {
                try await server.send(.POST, path, token: scene.token(.owner), #"{"email":"\#(email)"}"#)
                    .decoded(OrganisationTests.Invitation.self).id
            }
            let (own, other) = (try await invite("guide@example.org"), try await invite("x@example.org"))
            let refused = try await server.send(.DELETE, path + "/\(other)", token: scene.token(.guide))
            #expect(refused.code == "not-allowed")
            #expect(try await server.send(.DELETE, path + "/\(own)", token: scene.token(.guide)).status == 204)
            #expect(try await server.send(.DELETE, path + "/\(own)", token: scene.token(.guide)).status == 403)
            let left: [OrganisationTests.Invitation] = try await server.send(
                .GET, path, token: scene.token(.owner)
            ).decoded()
            #expect(left.map(\.id) == [other])
        }
    }

    /// All rows of a list by pages of one row.
    private static func walk<Row: Decodable>(
        _ path: String, _ token: String, _ server: RunningServer, as _: Row.Type
    ) async throws -> [Row] {
        var (rows, query) = ([Row](), "?limit=1")
        while rows.count < 20 {
            let reply = try await server.send(.GET, path + query, token: token)
            rows += try reply.decoded([Row].self)
            guard let link = reply.headers.first(name: "Link") else { break }
            query = String(try #require(link.wholeMatch(of: /<(\?limit=1&cursor=[0-9a-f]+)>; rel="next"/)).1)
        }
        return rows
    }

    /// Two join within a second, the account with the higher number first.
    @Test func pagesOfMembersLeaveNobodyOut() async throws {
        try await OrganisationTests.run { server, scene in
            let late = try await server.newGuide("late@example.org").access_token
            let early = try await server.newGuide("early@example.org").access_token
            for (token, email) in [(early, "early@example.org"), (late, "late@example.org")] {
                try await scene.invite(email)
                #expect(try await Self.join(scene, token).status == 201)
                server.clock.advance(microseconds: 1)
            }
            let all = try await scene.members().map(\.account)
            let walked = try await Self.walk(
                scene.path + "/members", scene.token(.admin), server, as: OrganisationTests.Member.self)
            #expect(walked.map(\.account) == all && all.count == 6)
        }
    }

    @Test func aMembersToursAreThoseOfTheOrganisation() async throws {
        try await OrganisationTests.run { server, scene in
            let owner = scene.token(.owner)
            let other: OrganisationTests.Organisation = try await server.send(
                .POST, "/organisations", token: owner, #"{"name":"Other"}"#
            ).decoded()
            // The last one is shared with nobody.
            let plans: [(String, String?)] = [
                ("More", scene.path), ("Theirs", "/organisations/\(other.id)"), ("Own", nil),
            ]
            for (name, path) in plans {
                let plan = try await scene.plan(name)
                guard let path else { continue }
                #expect(try await server.send(.PUT, path + "/tours/" + plan, token: owner).status == 204)
            }
            let counts = try await scene.members().map { [$0.account, Int64($0.tours)] }
            #expect(
                Set(counts) == [
                    [scene.number(.admin), 0], [scene.number(.owner), 2], [scene.number(.guide), 0], [scene.other, 0],
                ])
            let there: [OrganisationTests.Member] = try await server.send(
                .GET, "/organisations/\(other.id)/members", token: owner
            ).decoded()
            #expect(there.map(\.account) == [scene.number(.owner)] && there.map(\.tours) == [1])
        }
    }

    @Test func pagesOfToursHaveOwnAndSharedOnesOnce() async throws {
        try await OrganisationTests.run { server, scene in
            var ids = [scene.tour]
            for (index, token) in [scene.token(.owner), scene.token(.admin), scene.token(.owner)].enumerated() {
                // Two of them at one time.
                if index < 2 { server.clock.advance(microseconds: 1) }
                let made = try await server.send(.POST, "/groups", token: token, #"{"name":"More"}"#)
                ids.append(try made.decoded(OrganisationTests.Tour.self).id)
                guard index < 2 else { continue }
                #expect(
                    try await server.send(.PUT, scene.path + "/tours/" + ids[index + 1], token: token).status == 204)
            }
            let lists: [(String, [String], String)] = [
                ("/groups", ids, scene.token(.owner)), ("/groups", Array(ids[..<3]), scene.token(.guide)),
                (scene.path + "/tours", Array(ids[..<3]), scene.token(.guide)), ("/groups", [], scene.token(.stranger)),
            ]
            for (path, wanted, token) in lists {
                let found = try await Self.walk(path, token, server, as: OrganisationTests.Tour.self)
                #expect(found.map(\.id) == wanted, "\(path)")
                // A cursor that no answer gave out leads behind the list, or to its beginning.
                for (cursor, rows) in [("ffff", 0), (String(repeating: "ff", count: 20), 0), ("00", wanted.count)] {
                    let reply = try await server.send(.GET, path + "?cursor=" + cursor, token: token)
                    #expect(try reply.decoded([OrganisationTests.Tour].self).count == rows, "\(path) \(cursor)")
                }
            }
            let summary = try await server.asOperator { try await $0.organisations(limit: 1) }.rows.first
            #expect(summary?.tours == 3 && summary?.members == 4 && summary?.admins == 1)
        }
    }
}
