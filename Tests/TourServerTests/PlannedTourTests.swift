import Foundation
import NIOHTTP1
import ServerBase
import Testing
import TourCrypto
import TourModel

/// Goal: a guide's app makes a group by its name and invites to it before any device has made the tour; once one has,
/// the group is replaced with that tour, for everybody who knew it. Method: a whole server over HTTP.
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
        var plannedId: String?
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

    private static func replace(
        _ plan: String, with tour: SampleTour, _ server: RunningServer, _ token: String
    ) async throws -> Reply {
        try await server.send(.PATCH, "/groups/\(tour.id.hex)", token: token, #"{"planned":"\#(plan)"}"#)
    }

    @Test func planBecomesTheTourForAllWhoKnewIt() async throws {
        try await RunningServer.run { server async throws in
            let guide = try await server.newGuide().access_token
            let friend = try await Self.friend(server)
            let plan = try await Self.plan(server, guide)
            let path = "/groups/\(plan.id)"
            #expect(plan.isPlanned == true && plan.guideId.isEmpty && plan.members.isEmpty && plan.startDate != nil)
            #expect(try await server.send(.GET, path, token: friend).status == 404, "nobody learns which plans exist")
            for body in [#"{"phone":"+905551112233"}"#, #"{"phone":"+905551112244"}"#] {
                #expect(try await server.send(.POST, path + "/invitations", token: guide, body).status == 201)
            }
            let seen: [Group] = try await server.send(.GET, "/groups", token: friend).decoded()
            #expect(seen.map(\.name) == ["Müze"] && seen.first?.invitation != nil)
            #expect(try await server.send(.PATCH, path, token: friend, #"{"name":"Mine"}"#).status == 403)
            #expect(try await server.send(.DELETE, path, token: friend).status == 403)
            #expect(
                try await server.send(.PATCH, path, token: guide, #"{"endDate":"2026-06-05T18:00:00Z"}"#).status == 200)
            #expect(try await server.send(.GET, path + "/members", token: guide).text == "[]")

            let tour = SampleTour()
            #expect(try await server.found(tour, token: guide).status == 201)
            let own = "/groups/\(tour.id.hex)/invitations"
            #expect(try await server.send(.POST, own, token: guide, #"{"phone":"+905551112244"}"#).status == 201)
            let member = try await server.memberToken(tour.guide)
            #expect(try await server.send(.GET, path, token: member).status == 404, "a plan has no members")
            // An answer that was lost is asked for again.
            for _ in 0..<2 { #expect(try await Self.replace(plan.id, with: tour, server, guide).status == 200) }
            for token in [guide, friend] {
                let groups: [Group] = try await server.send(.GET, "/groups", token: token).decoded()
                #expect(groups.map(\.id) == [tour.id.hex])
                let group: Group = try await server.send(.GET, path, token: token).decoded()
                #expect(group.id == tour.id.hex && group.name == "Müze" && group.plannedId == plan.id)
                #expect(group.isPlanned == nil && group.startDate != nil && group.endDate != nil)
                #expect(group.members.count == (token == guide ? 1 : 0), "an invitation shows no members")
            }
            let invitations = try await server.send(.GET, path + "/invitations", token: guide).text
            #expect(invitations.components(separatedBy: "+905551112233").count == 2)
            #expect(invitations.components(separatedBy: "+905551112244").count == 2)
            #expect(try await server.push(tour.guide.log, token: member).rejectedMessages.isEmpty)
            #expect(try await server.send(.DELETE, path, token: guide).code == "forbidden")
            let gone = try await server.send(.DELETE, "/auth/me", token: guide, #"{"password":"correct horse"}"#)
            #expect(gone.status == 204)
            #expect(try await server.send(.GET, path, token: friend).status == 200, "it belongs to its members")
        }
    }

    @Test func planIsItsAccountsAloneAndReplacedOnce() async throws {
        try await RunningServer.run { server async throws in
            let guide = try await server.newGuide().access_token
            let other = try await server.newGuide("other@example.org").access_token
            let plan = try await Self.plan(server, guide)
            let path = "/groups/\(plan.id)"
            for (method, body) in [(HTTPMethod.GET, nil), (.PATCH, "{}"), (.DELETE, nil)] as [(HTTPMethod, String?)] {
                let reply = try await server.send(method, path, token: other, body)
                #expect(reply.status == 404, "\(method)")
            }
            let (first, second, theirs) = (SampleTour(), SampleTour(), SampleTour())
            for tour in [first, second] { #expect(try await server.found(tour, token: guide).status == 201) }
            #expect(try await server.found(theirs, token: other).status == 201)
            #expect(try await Self.replace(plan.id, with: theirs, server, other).field == "planned")
            #expect(try await Self.replace("x", with: first, server, guide).field == "planned")
            #expect(try await server.send(.PATCH, path, token: guide, #"{"planned":"\#(plan.id)"}"#).field == "planned")
            let whole = try await server.send(
                .PATCH, "/groups/\(first.id.hex)", token: guide, #"{"planned":"\#(plan.id)","name":"Neu"}"#)
            #expect(whole.status == 200)
            let refused = try await server.send(
                .PATCH, "/groups/\(second.id.hex)", token: guide, #"{"planned":"\#(plan.id)","name":"Neu"}"#)
            #expect(refused.field == "planned", "it is another tour's")
            let another = try await Self.plan(server, guide)
            #expect(try await Self.replace(another.id, with: first, server, guide).field == "planned")
            let groups: [Group] = try await server.send(.GET, "/groups", token: guide).decoded()
            #expect(groups.map(\.name) == ["Neu", "", "Müze"], "what was refused changed nothing")
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
            let export = try await server.send(.GET, "/auth/me/export", token: guide).text
            #expect(export.contains("2026-06-02T06:00:00Z") && export.contains("+905551112233"))
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
