import Foundation
import Synchronization
import Testing
import TourAPI
import TourMailbox
import TourModel

/// Goal: what a server says of organisations is read whole or refused, lists are read to their end and no further, and
/// a refusal tells what the account can do. Method: a real HTTP server that answers as it is told.
@Suite struct OrganisationClientTests {
    private typealias Organisations = ServerOrganisations

    private static let made = #""createdAt":"2026-11-27T10:00:00Z""#
    private static let tour = String(repeating: "ab", count: 32)

    /// Does the work at a server that answers everything but its health so.
    private static func serving(
        _ answer: @escaping @Sendable (Asked) -> Reaction, _ work: (ServerOrganisations) async throws -> Void
    ) async throws {
        let account = AccountTokens(access: "a", refresh: nil, account: "guide@tours.example", base: "")
        let bench = try await Bench(account: account) { request in
            guard request.path == "/healthz" else { return answer(request) }
            return .json(200, #"{"service":"tour-chat","status":"ok","time":"2026-01-01T00:01:30Z"}"#)
        }
        try await work(ServerAccount(client: bench.client).organisations)
        await bench.end()
    }

    @Test func membersAndInvitationsAreReadWhole() async throws {
        try await Self.serving { request in
            switch request.path {
            case "/auth/me": .json(200, #"{"id":7,"email":"","role":"guide"}"#)
            case "/organisations":
                .json(
                    200,
                    #"[{"id":1,"name":"Bosporus","role":"admin",\#(Self.made),"joinedAt":"2026-11-27T10:00:00Z"},"#
                        + #"{"id":2,"name":"Other","role":"guide",\#(Self.made),"invitation":9}]"#)
            default:
                .json(
                    200,
                    #"[{"account":7,"role":"admin","joinedAt":"2026-11-27T10:00:00.25Z","tours":2,"#
                        + #""email":"a@b.example"},{"account":8,"role":"guide","joinedAt":"2026-11-27T11:00:00Z","#
                        + #""tours":0,"phone":"+905321234567"}]"#
                )
            }
        } _: { organisations in
            let all = try await organisations.all()
            #expect(all.map(\.id) == [1, 2] && all.map(\.invitation) == [nil, 9])
            #expect(all.map(\.joinedAt) == ["2026-11-27T10:00:00Z", nil])
            let members = try await organisations.members(of: 1)
            #expect(members.map(\.account) == [7, 8] && members.map(\.own) == [true, false])
            #expect(members.map(\.email) == ["a@b.example", nil] && members.map(\.phone) == [nil, "+905321234567"])
            // Missing values are null in the local API.
            let text = String(decoding: try JSONEncoder().encode(members[1]), as: UTF8.self)
            #expect(text.contains(#""email":null"#) && text.contains(#""own":false"#))
        }
    }

    /// Role, time, tour's id or text out of bounds: the whole answer is refused.
    @Test(arguments: [
        #"[{"id":"\#(tour)","name":"","isPlanned":false,"isActive":true,"createdAt":"yesterday"}]"#,
        #"[{"id":"abc","name":"","isPlanned":false,"isActive":true,"createdAt":"2026-11-27T10:00:00Z"}]"#,
        #"[{"id":"\#(tour)","name":"\#(String(repeating: "x", count: Limits.nameBytesMax + 1))","isPlanned":false,"#
            + #""isActive":true,"createdAt":"2026-11-27T10:00:00Z"}]"#,
        #"[{"id":"\#(tour)","name":"","isActive":true,"createdAt":"2026-11-27T10:00:00Z"}]"#, "{}", "[7]", "",
    ])
    func aTourThatMakesNoSenseIsRefused(answer: String) async throws {
        try await Self.serving { _ in
            .json(200, answer)
        } _: { organisations in
            await #expect(throws: OrganisationError.server(.decoding)) { try await organisations.tours(of: 1) }
        }
    }

    @Test func aListIsReadPageByPage() async throws {
        let row = #"{"id":"\#(Self.tour)","name":"","isPlanned":true,"isActive":true,\#(Self.made)}"#
        try await Self.serving { request in
            let link = [("Link", #"<?limit=1&cursor=00ff>; rel="next""#)]
            return .answer(
                200, [("Content-Type", "application/json")] + (request.query.isEmpty ? link : []),
                Array("[\(row)]".utf8))
        } _: { organisations in
            let tours = try await organisations.tours(of: 1)
            #expect(tours.count == 2 && tours.allSatisfy { $0.planned && $0.account == nil })
        }
    }

    /// A server that always has another page is asked no more than a hundred times.
    @Test func aListWithoutEndEnds() async throws {
        let asked = Mutex(0)
        try await Self.serving { _ in
            asked.withLock { $0 += 1 }
            return .answer(
                200, [("Content-Type", "application/json"), ("Link", #"<?cursor=00>; rel="next""#)], Array("[]".utf8))
        } _: { organisations in
            let tours = try await organisations.tours(of: 1)
            #expect(tours.isEmpty)
        }
        #expect(asked.withLock { $0 } == 100)
    }

    /// More follows, and nobody says how to ask for it: no part of a list is taken for the whole.
    @Test(arguments: ["<>", "<?limit=1>; rel=\"next\"", "<?cursor=>", "<?cursor=xyz>", "<?cursor=" + "a".repeated(129)])
    func aLinkThatLeadsNowhereIsRefused(link: String) async throws {
        try await Self.serving { _ in
            .answer(200, [("Content-Type", "application/json"), ("Link", link)], Array("[]".utf8))
        } _: { organisations in
            await #expect(throws: OrganisationError.server(.decoding)) { try await organisations.tours(of: 1) }
        }
    }

    @Test func aRefusalSaysWhatItMeansHere() async throws {
        let tour = try #require(TourID(hex: Self.tour))
        try await Self.serving { _ in
            .refusal(404, "not-found")
        } _: { organisations in
            await #expect(throws: OrganisationError.unknown) { try await organisations.tours(of: 1) }
            await #expect(throws: OrganisationError.notInvited) { try await organisations.join(1, code: nil) }
            await #expect(throws: OrganisationError.unknownTour) { try await organisations.share(tour, with: 1) }
        }
        try await Self.serving { _ in
            .refusal(403, "forbidden")
        } _: { organisations in
            await #expect(throws: OrganisationError.operatorAlone) { try await organisations.create("Bosporus") }
            await #expect(throws: OrganisationError.adminsAlone) { try await organisations.takeOut(tour, of: 1) }
        }
    }

    @Test(arguments: [
        (409, "last-admin", OrganisationError.lastAdmin), (409, "already-shared", .sharedElsewhere),
        (409, "email-not-proven", .notProven), (507, "quota", .full), (401, "bad-code", .wrongCode),
        (403, "banned", .server(.http(status: 403, code: "banned"))),
    ])
    func everyRefusalHasItsName(status: Int, code: String, error: OrganisationError) async throws {
        try await Self.serving { _ in
            .refusal(status, code)
        } _: { organisations in
            await #expect(throws: error) { try await organisations.join(1, code: "ABCD") }
        }
    }

    /// What is sent: a body of JSON, and for a person without a name none.
    @Test func anInvitationNamesOnePartyAtMost() async throws {
        let bodies = Mutex<[String]>([])
        try await Self.serving { request in
            bodies.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
            return .json(
                201,
                #"{"id":3,"role":"guide","code":"ABCD-EFGH-IJKL-MNOP",\#(Self.made),"#
                    + #""expiresAt":"2026-12-11T10:00:00Z"}"#)
        } _: { organisations in
            let made = try await organisations.invite(.bearer, as: .guide, into: 1)
            #expect(made.code == "ABCD-EFGH-IJKL-MNOP" && made.email == nil)
            _ = try await organisations.invite(.email("b@c.example"), as: .admin, into: 1)
        }
        #expect(
            bodies.withLock { $0 } == [#"{"role":"guide"}"#, #"{"email":"b@c.example","role":"admin"}"#])
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
