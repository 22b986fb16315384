import Foundation
import NIOHTTP1
import Testing
import TourCrypto
import TourModel
import TourServer

/// Goal: a guide's app makes a group by its name and invites to it before any device has made the tour; once one has,
/// the group is that tour, for everybody who knew it. Method: a whole server over HTTP.
struct PlannedTourTests {
    private struct Group: Decodable {
        struct Member: Decodable { var id: String }
        var id: String
        var name: String
        var guideId: String
        var startDate: Date?
        var endDate: Date?
        var members: [Member]
        var invitation: Int?
        var isPlanned: Bool?
    }

    private static func friend(_ server: RunningServer) async throws -> String {
        let code = try await server.code(for: "+905551112233")
        let body = ##"{"phone":"+905551112233","code":"\##(code)"}"##
        return try await server.send(.POST, "/auth/sms/verify", body).decoded(Tokens.self).access_token
    }

    private static func plan(
        _ server: RunningServer, _ token: String,
        _ body: String = #"{"name":"Müze","startDate":"2026-06-02T06:00:00Z"}"#
    ) async throws -> Group {
        try await server.send(.POST, "/groups", token: token, body).decoded()
    }

    private static func founding(
        _ tour: SampleTour, _ server: RunningServer, _ token: String, _ more: String
    ) async throws -> Reply {
        let proof = tour.guide.proof(.group, host: server.host, nonce: try await server.nonce())
        return try await server.send(
            .POST, "/groups", token: token, #"{"genesis":"\#(tour.genesis)",\#(proof),\#(more)}"#)
    }

    @Test func planBecomesTheTourForAllWhoKnewIt() async throws {
        try await RunningServer.run { server async throws in
            let guide = try await server.newGuide().access_token
            let friend = try await Self.friend(server)
            let plan = try await Self.plan(server, guide)
            let path = "/groups/\(plan.id)"
            #expect(plan.isPlanned == true && plan.guideId.isEmpty && plan.members.isEmpty && plan.startDate != nil)
            #expect(try await server.send(.GET, path, token: friend).status == 404, "nobody learns which plans exist")
            let invited = try await server.send(
                .POST, path + "/invitations", token: guide, #"{"phone":"+905551112233"}"#)
            #expect(invited.status == 201)
            let seen: [Group] = try await server.send(.GET, "/groups", token: friend).decoded()
            #expect(seen.map(\.name) == ["Müze"] && seen.first?.invitation != nil)
            #expect(try await server.send(.PATCH, path, token: friend, #"{"name":"Mine"}"#).status == 403)
            #expect(
                try await server.send(.PATCH, path, token: guide, #"{"endDate":"2026-06-05T18:00:00Z"}"#).status == 200)
            #expect(try await server.send(.GET, path + "/members", token: guide).text == "[]")

            let tour = SampleTour()
            let founded = try await Self.founding(tour, server, guide, #""planned":"\#(plan.id)""#)
            #expect(founded.status == 201, "\(founded.text)")
            // An answer that was lost is asked for again.
            #expect(try await Self.founding(tour, server, guide, #""planned":"\#(plan.id)""#).status == 200)
            for token in [guide, friend] {
                let groups: [Group] = try await server.send(.GET, "/groups", token: token).decoded()
                #expect(groups.map(\.id) == [tour.id.hex])
                let group: Group = try await server.send(.GET, path, token: token).decoded()
                #expect(group.id == tour.id.hex && group.name == "Müze" && group.isPlanned == nil)
                #expect(group.startDate != nil && group.endDate != nil && group.guideId == tour.guide.id.hex)
                #expect(group.members.count == (token == guide ? 1 : 0), "an invitation shows no members")
            }
            let invitations = try await server.send(.GET, path + "/invitations", token: guide)
            #expect(invitations.text.contains("+905551112233"))
            let member = try await server.memberToken(tour.guide)
            #expect(try await server.push(tour.guide.log, token: member).rejectedMessages.isEmpty)
            #expect(try await server.send(.DELETE, path, token: guide).code == "not-allowed")
        }
    }

    @Test func planIsItsAccountsAloneAndFoundedOnce() async throws {
        try await RunningServer.run { server async throws in
            let guide = try await server.newGuide().access_token
            let other = try await server.newGuide("other@example.org").access_token
            let plan = try await Self.plan(server, guide)
            let path = "/groups/\(plan.id)"
            for (method, body) in [(HTTPMethod.GET, nil), (.PATCH, "{}"), (.DELETE, nil)] as [(HTTPMethod, String?)] {
                let reply = try await server.send(method, path, token: other, body)
                #expect(reply.status == 404, "\(method)")
            }
            let (first, second) = (SampleTour(), SampleTour())
            let name = #""planned":"\#(plan.id)""#
            #expect(try await Self.founding(first, server, other, name).field == "planned")
            #expect(try await Self.founding(first, server, guide, #""planned":"x""#).field == "planned")
            #expect(try await Self.founding(first, server, guide, #"\#(name),"name":"Neu""#).status == 201)
            #expect(try await Self.founding(second, server, guide, name).field == "planned", "it is another tour's")
            #expect(
                try await Self.founding(second, server, guide, #""startDate":"2026-01-01T00:00:00Z""#).status == 201)
            #expect(try await Self.founding(second, server, guide, name).field == "planned")
            let groups: [Group] = try await server.send(.GET, "/groups", token: guide).decoded()
            #expect(groups.map(\.name) == ["Neu", ""] && groups.allSatisfy { $0.startDate != nil })
        }
    }

    @Test func plansAreBoundedAndGoWithTheirAccount() async throws {
        try await RunningServer.run { server async throws in
            let guide = try await server.newGuide().access_token
            let friend = try await Self.friend(server)
            #expect(try await server.send(.POST, "/groups", token: friend, #"{"name":"Müze"}"#).code == "not-a-guide")
            for (body, field) in [
                ("{}", "name"), (#"{"name":""}"#, "name"), (#"{"name":"a","controls":[]}"#, "genesis"),
                (#"{"name":"a","genesis":"AA=="}"#, "memberId"),
            ] {
                #expect(try await server.send(.POST, "/groups", token: guide, body).field == field, "\(body)")
            }
            var plan = try await Self.plan(server, guide)
            #expect(try await server.send(.DELETE, "/groups/\(plan.id)", token: guide).status == 204)
            #expect(try await server.send(.GET, "/groups/\(plan.id)", token: guide).status == 404)
            for _ in 0..<ServerLimits.plannedToursMax { plan = try await Self.plan(server, guide) }
            #expect(try await server.send(.POST, "/groups", token: guide, #"{"name":"b"}"#).code == "quota")
            _ = try await server.send(
                .POST, "/groups/\(plan.id)/invitations", token: guide, #"{"phone":"+905551112233"}"#)
            #expect(try await server.send(.GET, "/groups", token: friend).text.contains(plan.id))
            let link = #"{"phone":"+905551112233","link":"tour-chat://join/ABCDEFGHIJKLMNOPQ"}"#
            #expect(
                try await server.send(.POST, "/groups/\(plan.id)/invitations", token: guide, link).field == "link",
                "nobody can join a plan")
            let gone = try await server.send(.DELETE, "/auth/me", token: guide, #"{"password":"correct horse"}"#)
            #expect(gone.status == 204, "\(gone.text)")
            #expect(try await server.send(.GET, "/groups", token: friend).text == "[]")
        }
    }
}
