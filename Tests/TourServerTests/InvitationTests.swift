import Foundation
import NIOHTTP1
import Testing
import TourCrypto
import TourGroup
import TourModel

/// Goal: who is invited sees that a tour is there, and nothing of who is in it; only who leads invites.
/// Method: a whole server over HTTP.
struct InvitationTests {
    private struct Group: Decodable {
        struct Member: Decodable { var id: String }
        var id: String
        var name: String
        var members: [Member]
        var invitation: Int?
    }
    private struct Invitation: Decodable, Hashable {
        var id: Int
        var email: String?
        var phone: String?
    }

    private struct Scene {
        let guide: String
        let path: String
    }

    private static func scene(_ tour: SampleTour, _ server: RunningServer) async throws -> Scene {
        let guide = try await server.newGuide().access_token
        _ = try await server.found(tour, token: guide)
        let path = "/groups/\(tour.id.hex)"
        _ = try await server.send(.PATCH, path, token: guide, #"{"name":"Müze"}"#)
        return Scene(guide: guide, path: path)
    }

    /// What a guide passes on reaches the person once for each request, and is in no database.
    @Test func linksGoOutByMessageAndAreBounded() async throws {
        try await RunningServer.run { server async throws in
            let tour = SampleTour()
            let scene = try await Self.scene(tour, server)
            let list = scene.path + "/invitations"
            let code = InviteCode(secret: tour.invite, tour: tour.id)
            let link = "tour-chat://join/" + code.compact
            let foreign = InviteCode(secret: tour.invite, tour: SampleTour().id)
            let member = try await server.memberToken(tour.guide)
            let refused = try await server.send(
                .POST, list, token: member, #"{"email":"b@example.org","link":"\#(link)"}"#)
            let listed = try await server.send(.GET, list, token: member)
            #expect(refused.status == 401 && listed.text == "[]", "\(listed.text)")
            func invite(_ name: String, _ link: String = link, key: String? = nil) async throws -> Reply {
                try await server.send(
                    .POST, list, token: scene.guide, #"{\#(name),"link":"\#(link)"}"#,
                    headers: key.map { [("Idempotency-Key", $0)] } ?? [])
            }
            let phone = #""phone":"+905551112233""#
            #expect(try await invite(phone, key: "k").status == 201)
            #expect(try await invite(phone, key: "k").headers.first(name: "Idempotency-Replayed") == "true")
            #expect(server.messages.allTexts.count { $0.contains(link) } == 1)
            for wrong in [
                "https://example.org/ABCDEFGHIJKLMNOPQ", "tour-chat://join/short", link + "-now", "",
                "tour-chat://join/" + foreign.compact,
            ] {
                let reply = try await invite(phone, wrong)
                #expect(reply.status == 422 && reply.field == "link", "\(wrong)")
            }
            // Three at once for one person.
            let more = [try await invite(phone), try await invite(phone), try await invite(phone)]
            #expect(more.map(\.status) == [200, 200, 429])
            #expect(try await invite(#""email":"a@example.org""#, link + "?a=192.0.2.1:4000").status == 201)
            #expect(server.messages.allMails.count { $0.contains(link) } == 1)
            var last = 0
            for number in 0..<70 where last != 429 {
                last = try await invite(#""phone":"+9055500\#(10_000 + number)""#).status
            }
            #expect(last == 429, "one account sends without end")
            // Who logs in gets a code all the same.
            _ = try await server.code(for: "+905551112233")
            // Nothing goes out for a code that has ended, as all do at a removal.
            var later = tour
            let revocation = later.act(later.group.revokeBody(tour.invite.invitePair.publicKey))
            #expect(try await server.push(tour.guide.log + [revocation], token: member).codes == [])
            let over = try await invite(phone)
            #expect(over.status == 422 && over.field == "link", "\(over.text)")
            #expect(try !server.databaseHolds(code.compact.utf8))
        }
    }

    @Test func whoIsInvitedSeesTheTourAndNobodyInIt() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let scene = try await Self.scene(tour, server)
            let list = scene.path + "/invitations"
            let body = #"{"email":" User@Example.org "}"#
            let made = try await server.send(.POST, list, token: scene.guide, body)
            #expect(made.status == 201)
            let invitation: Invitation = try made.decoded()
            #expect(invitation.email == "user@example.org")
            #expect(try await server.send(.POST, list, token: scene.guide, body).status == 200, "once")
            // The account is made afterwards.
            let user = try await server.newAccount("user@example.org").access_token
            #expect(try await server.send(.GET, "/groups", token: user).text == "[]", "anybody could have typed it")
            #expect(try await server.send(.GET, scene.path, token: user).status == 403)
            #expect(try await !server.send(.GET, "/auth/me/export", token: user).text.contains(scene.path.dropFirst(8)))
            try await server.prove("user@example.org", token: user)
            let groups: [Group] = try await server.send(.GET, "/groups", token: user).decoded()
            #expect(groups.map(\.name) == ["Müze"] && groups[0].members.isEmpty)
            #expect(groups.first?.invitation == invitation.id)
            let shown: Group = try await server.send(.GET, scene.path, token: user).decoded()
            #expect(shown.members.isEmpty && shown.invitation == invitation.id)
            for part in ["/members", "/frontier", "/messages", "/invitations", "/archive"] {
                #expect(try await server.send(.GET, scene.path + part, token: user).status == 403, "\(part)")
            }
            #expect(try await server.send(.PATCH, scene.path, token: user, #"{"name":"x"}"#).status == 403)
            let export = try await server.send(.GET, "/auth/me/export", token: user)
            #expect(export.text.contains(#""invitations":[{"created_at":"#))
            // It is a member from here on.
            let member = tour.join()
            _ = try await server.logIn(member, controls: Array(tour.guide.log.dropFirst()))
            let proof = member.proof(.bind, host: server.host, nonce: try await server.nonce())
            #expect(try await server.send(.POST, scene.path + "/bind", token: user, "{\(proof)}").status == 204)
            let after: Group = try await server.send(.GET, scene.path, token: user).decoded()
            #expect(after.members.count == 2 && after.invitation == nil)
            #expect(try await server.send(.GET, list, token: scene.guide).text == "[]")
        }
    }

    @Test func invitationIsTakenBackOrDeclined() async throws {
        try await RunningServer.run { server async throws in
            let tour = SampleTour()
            let scene = try await Self.scene(tour, server)
            let list = scene.path + "/invitations"
            let user = try await server.newAccount("user@example.org").access_token
            let other = try await server.newAccount("other@example.org").access_token
            try await server.prove("user@example.org", token: user)
            func invite(_ body: String) async throws -> Int {
                try await server.send(.POST, list, token: scene.guide, body).decoded(Invitation.self).id
            }
            let first = try await invite(#"{"email":"user@example.org"}"#)
            let second = try await invite(#"{"phone":"+90 532 123 45 67"}"#)
            let all: [Invitation] = try await server.send(.GET, list, token: scene.guide).decoded()
            #expect(all.map(\.id) == [first, second] && all[1].phone == "+905321234567")
            #expect(try await server.send(.DELETE, list + "/\(second)", token: user).code == "not-allowed")
            #expect(try await server.send(.DELETE, list + "/\(first)", token: other).status == 403)
            #expect(try await server.send(.DELETE, list + "/\(first)", token: user).status == 204, "declined")
            #expect(try await server.send(.GET, "/groups", token: user).text == "[]")
            #expect(try await server.send(.DELETE, list + "/\(second)", token: scene.guide).status == 204)
            #expect(try await server.send(.DELETE, list + "/\(second)", token: scene.guide).code == "not-found")
            #expect(try await server.send(.DELETE, list + "/x", token: scene.guide).code == "not-found")
        }
    }

    @Test func onlyWhoLeadsInvitesAndOnePersonAtATime() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let scene = try await Self.scene(tour, server)
            let list = scene.path + "/invitations"
            let member = tour.join()
            let token = try await server.memberToken(member, controls: Array(tour.guide.log.dropFirst()))
            let leading = try await server.memberToken(tour.guide)
            #expect(try await server.send(.POST, list, token: token, #"{"email":"a@b.example"}"#).code == "not-allowed")
            #expect(try await server.send(.POST, list, token: leading, #"{"email":"a@b.example"}"#).status == 201)
            let stranger = try await server.newAccount("stranger@example.org").access_token
            #expect(try await server.send(.POST, list, token: stranger, #"{"email":"a@b.example"}"#).status == 403)
            for (body, field) in [
                ("{}", "email"), (#"{"email":"a@b.example","phone":"+905321234567"}"#, "phone"),
                (#"{"email":"a"}"#, "email"), (#"{"phone":"0532"}"#, "phone"), (#"{"phone":7}"#, "phone"),
            ] {
                let reply = try await server.send(.POST, list, token: scene.guide, body)
                #expect(reply.status == 422 && reply.field == field, "\(body)")
            }
        }
    }
}
