import Foundation
import NIOHTTP1
import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: a tour of the mesh is known to the server by its own events, and its members are let in by their keys alone.
/// Method: a whole server over HTTP, and devices that write real logs.
struct GroupTests {
    /// More tours than were ever kept ready, and none is worked out anew because of the others.
    @Test func aListOfManyToursWorksOutEachRosterOnce() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newGuide().access_token
            for number in 0..<150 {
                if number % 10 == 0 { server.clock.advance(seconds: 2) }
                #expect(try await server.found(SampleTour(), token: token).status == 201)
            }
            func workedOut() async throws -> Int {
                let text = try await server.send(.GET, "/metrics").text
                return try #require(text.firstMatch(of: /server_rosters_total (\d+)/).flatMap { Int($0.1) })
            }
            let before = try await workedOut()
            for _ in 0..<3 {
                let list = try await server.send(.GET, "/groups", token: token)
                #expect(list.status == 200)
            }
            #expect(try await workedOut() == before)
        }
    }

    private struct Member: Decodable {
        var id: String
        var role: String
        var isActive: Bool
        var joinedAt: Date
    }
    private struct Group: Decodable {
        var id: String
        var name: String
        var guideId: String
        var isActive: Bool
        var startDate: Date?
        var members: [Member]
    }

    @Test func guideMakesATourKnown() async throws {
        try await RunningServer.run { server async throws in
            let tour = SampleTour()
            let token = try await server.newGuide().access_token
            let made = try await server.found(tour, token: token)
            #expect(made.status == 201)
            let group: Group = try made.decoded()
            #expect(group.id == tour.id.hex && group.guideId == tour.guide.id.hex && group.isActive)
            #expect(group.members.map(\.role) == ["creator"] && group.name.isEmpty)
            #expect(try await server.found(tour, token: token).status == 200)
            let all: [Group] = try await server.send(.GET, "/groups", token: token).decoded()
            #expect(all.map(\.id) == [tour.id.hex])
            let change = #"{"name":"Müze","startDate":"2026-06-02T00:00:00+02:00","isActive":false}"#
            let changed = try await server.send(.PATCH, "/groups/\(tour.id.hex)", token: token, change)
            let now: Group = try changed.decoded()
            #expect(now.name == "Müze" && !now.isActive)
            #expect(now.startDate == Date(timeIntervalSince1970: 1_780_351_200))
            let cleared = try await server.send(
                .PATCH, "/groups/\(tour.id.hex)", token: token, #"{"startDate":null}"#)
            #expect(try cleared.decoded(Group.self).startDate == nil)
        }
    }

    @Test func onlyGuidesWhoLeadMakeATourKnown() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let user = try await server.newAccount("user@example.org").access_token
            #expect(try await server.found(tour, token: user).code == "not-a-guide")
            let guide = try await server.newGuide().access_token
            #expect(try await server.found(tour, token: guide, host: "elsewhere.example").code == "bad-proof")
            #expect(try await server.send(.GET, "/groups", token: guide).text == "[]")
            let member = tour.join()
            let controls = tour.guide.log.dropFirst().map { "\"\(Data($0.bytes).base64EncodedString())\"" }
            let proof = member.proof(.group, host: server.host, nonce: try await server.nonce())
            let body =
                #"{"genesis":"\#(tour.genesis)","controls":[\#(controls.joined(separator: ","))],\#(proof)}"#
            #expect(try await server.send(.POST, "/groups", token: guide, body).code == "not-allowed")
            let rubbish = #"{"genesis":"AAAA",\#(proof)}"#
            #expect(try await server.send(.POST, "/groups", token: guide, rubbish).code == "bad-genesis")
        }
    }

    @Test func aSuccessorIsNotTheCreator() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let member = tour.join()
            _ = tour.act(.role(.init(member: member.id, rank: .creator, sequence: 0, replaces: [], controls: [])))
            let token = try await server.newGuide().access_token
            _ = try await server.found(tour, token: token)
            _ = try await server.memberToken(tour.guide, controls: Array(tour.guide.log.dropFirst()))
            let group: Group = try await server.send(.GET, "/groups/\(tour.id.hex)", token: token).decoded()
            #expect(Set(group.members.map(\.role)) == ["creator", "successor"])
        }
    }

    @Test func memberIsLetInByItsKeyOnceItIsKnown() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let member = tour.join()
            #expect(try await server.logIn(member).code == "unknown-group")
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            let unknown = try await server.logIn(member)
            #expect(unknown.status == 403 && unknown.code == "unknown-member")
            let token = try await server.memberToken(member, controls: Array(tour.guide.log.dropFirst()))
            let members: [Member] =
                try await server.send(.GET, "/groups/\(tour.id.hex)/members", token: token).decoded()
            #expect(members.map(\.id) == [tour.guide.id.hex, member.id.hex])
            #expect(try await server.logIn(member).status == 200)
        }
    }

    @Test func proofIsGoodOnceForItsPurposeAndItsTime() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let member = tour.join()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            _ = try await server.logIn(member, controls: Array(tour.guide.log.dropFirst()))
            func status(_ proof: String) async throws -> String? {
                try await server.send(.POST, "/auth/member", #"{"groupId":"\#(tour.id.hex)",\#(proof)}"#).code
            }
            let nonce = try await server.nonce()
            #expect(try await status(member.proof(.bind, host: server.host, nonce: nonce)) == "bad-proof")
            let good = member.proof(.auth, host: server.host, nonce: nonce)
            #expect(try await status(good) == nil)
            #expect(try await status(good) == "bad-proof", "used")
            #expect(
                try await status(member.proof(.auth, host: server.host, nonce: "AAAAAAAAAAAAAAAAAAAA")) == "bad-proof")
            let old = member.proof(.auth, host: server.host, nonce: try await server.nonce())
            server.clock.advance(seconds: 61)
            #expect(try await status(old) == "bad-proof", "over")
            let other = tour.join()
            let foreign = other.proof(.auth, host: server.host, nonce: try await server.nonce())
                .replacing(other.id.hex, with: member.id.hex)
            #expect(try await status(foreign) == "bad-proof", "another's key")
        }
    }

    @Test func removedMemberIsToldWhyAndItsTokenEnds() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let member = tour.join()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            let controls = Array(tour.guide.log.dropFirst())
            let token = try await server.memberToken(member, controls: controls)
            let guide = try await server.memberToken(tour.guide)
            let removal = tour.guide.write(
                .remove(
                    ControlBody.Remove(
                        member: member.id, sequence: 0, last: .none, revoked: [], accepted: [])),
                at: SampleTour.wall)
            #expect(try await server.push([removal], token: guide).statuses == ["stored"])
            let path = "/groups/\(tour.id.hex)/frontier"
            #expect(try await server.send(.GET, path, token: token).status == 401)
            #expect(try await server.send(.GET, path, token: guide).status == 200)
            let again = try await server.logIn(member)
            #expect(again.status == 403 && again.code == "removed")
            #expect(again.text.contains(Data(removal.bytes).base64EncodedString()))
        }
    }

    @Test func accountThatIsTiedToAMemberOpensItsTourAndNoOther() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let other = SampleTour()
            let member = tour.join()
            let guide = try await server.newGuide().access_token
            _ = try await server.found(tour, token: guide)
            _ = try await server.found(other, token: guide)
            _ = try await server.logIn(member, controls: Array(tour.guide.log.dropFirst()))
            let user = try await server.newAccount("user@example.org").access_token
            let path = "/groups/\(tour.id.hex)"
            #expect(try await server.send(.GET, path, token: user).status == 403)
            let proof = member.proof(.bind, host: server.host, nonce: try await server.nonce())
            #expect(try await server.send(.POST, path + "/bind", token: user, "{\(proof)}").status == 204)
            #expect(try await server.send(.GET, path, token: user).status == 200)
            #expect(try await server.send(.GET, path + "/frontier", token: user).status == 200)
            #expect(try await server.send(.PATCH, path, token: user, #"{"name":"x"}"#).status == 403)
            #expect(try await server.send(.GET, "/groups/\(other.id.hex)/frontier", token: user).status == 403)
            let token = try await server.memberToken(member)
            #expect(try await server.send(.GET, "/groups/\(other.id.hex)/frontier", token: token).status == 403)
            #expect(try await server.send(.GET, "/auth/me", token: token).status == 401)
            let export = try await server.send(.GET, "/auth/me/export", token: user)
            #expect(export.text.contains(member.id.hex))
            #expect(try await server.send(.DELETE, "/auth/me", token: user).status == 204)
        }
    }
}
