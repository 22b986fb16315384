import NIOHTTP1
import ServerRequests
import Testing
import TourServer

extension OrganisationTests {
    /// Who calls, in the order of the table's statuses.
    enum Caller: CaseIterable {
        case nobody, stranger, guide
        /// A guide who shared the tour.
        case owner
        case admin
    }

    struct Organisation: Decodable {
        var id: Int64
        var name: String
        var role: String
        var invitation: Int64?
    }
    struct Member: Decodable {
        var account: Int64
        var role: String
        var tours: Int
        var email: String?
    }
    struct Invitation: Decodable {
        var id: Int64
        var code: String?
    }
    struct Tour: Decodable {
        var id: String
        var account: Int64?
    }

    /// An organisation with an admin, two guides and another member, and a tour that one of them planned and shared.
    struct Scene {
        let server: RunningServer
        var tokens: [Caller: String] = [:]
        var numbers: [Caller: Int64] = [:]
        var id: Int64 = 0
        var other: Int64 = 0
        var otherToken = ""
        var tour = ""

        var path: String { "/organisations/\(id)" }
        func token(_ caller: Caller) -> String { tokens[caller] ?? "" }
        func number(_ caller: Caller) -> Int64 { numbers[caller] ?? 0 }

        init(_ server: RunningServer) async throws {
            self.server = server
            tokens[.admin] = try await server.newGuide("office@example.org").access_token
            let made = try await server.send(.POST, "/organisations", token: token(.admin), #"{"name":"Tours"}"#)
            #expect(made.status == 201)
            id = try made.decoded(Organisation.self).id
            tokens[.owner] = try await server.newGuide("owner@example.org").access_token
            tokens[.guide] = try await server.newAccount("guide@example.org").access_token
            tokens[.stranger] = try await server.newAccount("stranger@example.org").access_token
            otherToken = try await server.newAccount("other@example.org").access_token
            try await server.prove("guide@example.org", token: token(.guide))
            try await server.prove("other@example.org", token: otherToken)
            for (token, email) in [
                (token(.owner), "owner@example.org"), (token(.guide), "guide@example.org"),
                (otherToken, "other@example.org"),
            ] {
                server.clock.advance(seconds: 1)
                try await invite(email)
                #expect(try await server.send(.POST, path + "/join", token: token, "{}").status == 201)
            }
            for caller in Caller.allCases where caller != .nobody {
                numbers[caller] = try await server.accountNumber(token(caller))
            }
            other = try await server.accountNumber(otherToken)
            tour = try await plan("Galata")
            #expect(try await server.send(.PUT, path + "/tours/" + tour, token: token(.owner)).status == 204)
        }

        func invite(_ email: String, role: String = "guide") async throws {
            let body = #"{"email":"\#(email)","role":"\#(role)"}"#
            #expect(try await server.send(.POST, path + "/invitations", token: token(.admin), body).status == 201)
        }

        func plan(_ name: String) async throws -> String {
            let made = try await server.send(.POST, "/groups", token: token(.owner), #"{"name":"\#(name)"}"#)
            return try made.decoded(Tour.self).id
        }

        /// As the admin or another member sees them.
        func members(_ token: String? = nil) async throws -> [Member] {
            try await server.send(.GET, path + "/members", token: token ?? self.token(.admin)).decoded()
        }

        func owners(_ token: String) async throws -> [String: Int64?] {
            let tours: [Tour] = try await server.send(.GET, path + "/tours", token: token).decoded()
            return Dictionary(uniqueKeysWithValues: tours.map { ($0.id, $0.account) })
        }
    }

    static func run(_ body: @escaping @Sendable (RunningServer, Scene) async throws -> Void) async throws {
        try await RunningServer.run(change: { $0.rules.organisationsFrom = .guide }) { server async throws in
            try await body(server, try await Scene(server))
        }
    }
}

extension RunningServer {
    /// The number of the token's account.
    func accountNumber(_ token: String) async throws -> Int64 {
        struct Body: Decodable { var id: Int64 }
        return try await send(.GET, "/auth/me", token: token).decoded(Body.self).id
    }
}
