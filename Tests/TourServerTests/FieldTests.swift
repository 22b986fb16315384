import Foundation
import HTTPTypes
import NIOHTTP1
import ServerRequests
import ServerStorage
import Testing
import TourModel
import TourServer

/// Goal: whatever one field of a request holds, it is refused by its name or taken; the server never fails, and nothing
/// is half written. Method: a table of the fields of every route that reads a body, held against the server's own.
struct FieldTests {
    /// A field with a value that its route can read.
    private struct Field {
        var name: String
        var good: String
        var isRequired: Bool
        /// What becomes of a text that is no value of this field: 422, unless it is simply a wrong one.
        var wrongText: Int
        /// Whether people write what they like: any text without control characters.
        var isFree: Bool
        /// Whether any text does that a database keeps: what people print, and nobody shows in a terminal as it stands.
        var isText: Bool

        init(
            _ name: String, _ good: String, isRequired: Bool = true, wrongText: Int = 422, isFree: Bool = false,
            isText: Bool = false
        ) {
            self.name = name
            self.good = good
            self.isRequired = isRequired
            self.wrongText = wrongText
            self.isFree = isFree
            self.isText = isText
        }
    }

    private struct Form {
        var route: String
        var fields: [Field]
        /// What the whole is answered as it stands.
        var good: Int
    }

    private static let zeros = Data(count: 64).base64EncodedString()
    private static let id = String(repeating: "0", count: 64)
    private static let id32 = Data(count: 32).base64EncodedString()
    private static let wrapped = Data(count: Limits.wrappedKeyBytes).base64EncodedString()
    private static let email = Field("email", #""new@example.org""#)
    private static let password = Field("password", #""correct horse""#)
    private static let phone = Field("phone", #""+905551112233""#)
    /// The phone, without the e-mail address that may stand in its place.
    private static let oneContact = Field("phone", #""+905551112233""#, isRequired: false)
    private static let code = Field("code", #""123456""#, wrongText: 401)
    private static let secondFactor = Field(
        "second_factor", #""123456""#, isRequired: false, wrongText: 0, isText: true)
    private static let ownerProof = [
        Field("current_password", #""wrong horse""#, isRequired: false, wrongText: 0, isText: true), secondFactor,
    ]
    private static let proof = [
        Field("memberId", "\"\(id)\""), Field("nonce", #""abc""#, wrongText: 0), Field("signature", "\"\(zeros)\""),
    ]

    private static func forms(genesis: String) -> [Form] {
        [
            Form(
                route: "POST /auth/login",
                fields: [
                    Field("email", #""a@example.org""#, wrongText: 401),
                    Field("password", #""wrong horse""#, wrongText: 401), secondFactor,
                ], good: 401),
            Form(
                route: "POST /auth/refresh", fields: [Field("refresh_token", #""abc""#, wrongText: 401)], good: 401),
            Form(
                route: "POST /auth/sms/verify",
                fields: [phone, code, secondFactor], good: 401),
            Form(route: "POST /auth/email/verify", fields: [code], good: 401),
            Form(
                route: "POST /auth/password",
                fields: [Field("current_password", #""wrong horse""#, wrongText: 401), password], good: 401),
            Form(
                route: "POST /auth/password/reset", fields: [oneContact, Field("code", #""123456""#), password],
                good: 401),
            Form(route: "POST /auth/password/forgot", fields: [oneContact], good: 202),
            Form(route: "POST /auth/me/email", fields: [email], good: 202),
            Form(
                route: "PUT /auth/me/email",
                fields: [email, code] + ownerProof, good: 401),
            Form(
                route: "PUT /auth/me/phone",
                fields: [phone, code] + ownerProof, good: 401),
            Form(route: "POST /auth/second-factor", fields: ownerProof, good: 401),
            Form(route: "POST /auth/me/export", fields: ownerProof, good: 401),
            Form(route: "POST /auth/second-factor/confirm", fields: [code], good: 401),
            Form(route: "POST /auth/second-factor/recovery-codes", fields: ownerProof, good: 404),
            Form(route: "POST /auth/second-factor/remove", fields: ownerProof, good: 404),
            Form(route: "PUT /accounts/{id}/role", fields: [Field("role", #""guide""#)], good: 404),
            Form(route: "POST /auth/member/nonce", fields: [], good: 200),
            Form(
                route: "POST /auth/member",
                fields: proof + [Field("groupId", "\"\(id)\""), Field("controls", "[]", isRequired: false)],
                good: 404),
            Form(
                route: "POST /groups",
                fields: proof + [
                    Field("genesis", "\"\(genesis)\""), Field("controls", "[]", isRequired: false),
                    Field("name", #""Müze""#, isRequired: false, isFree: true),
                    Field("startDate", #""2026-06-01T00:00:00Z""#, isRequired: false),
                    Field("endDate", #""2026-06-01T00:00:00Z""#, isRequired: false),
                ], good: 403),
            Form(
                route: "PATCH /groups/{id}",
                fields: [
                    Field("name", #""Müze""#, isRequired: false, isFree: true),
                    Field("isActive", "true", isRequired: false),
                    Field("startDate", #""2026-06-01T00:00:00Z""#, isRequired: false),
                    Field("endDate", #""2026-06-01T00:00:00Z""#, isRequired: false),
                    Field("planned", "\"\(id)\"", isRequired: false),
                ], good: 404),
            Form(route: "POST /groups/{id}/bind", fields: proof, good: 404),
            Form(route: "POST /groups/{id}/invitations", fields: [email], good: 404),
            Form(
                route: "POST /groups/{id}/archive",
                fields: [Field("invite", "\"\(id)\""), Field("challenge", "\"\(id32)\"")], good: 404),
            Form(
                route: "POST /groups/{id}/archive/keys",
                fields: [Field("keys", #"[{"epoch":"\#(id)","wrapped":"\#(wrapped)"}]"#)], good: 404),
            Form(route: "POST /messages/sync", fields: [Field("messages", "[]")], good: 422),
            // What these take as it stands changes something.
            Form(route: "POST /auth/signup", fields: [email, password], good: 201),
            Form(route: "POST /auth/sms/request", fields: [phone], good: 202),
        ] + organisations + notebook
    }

    private static func stop(isNew: Bool) -> [Field] {
        let wrong = isNew ? 422 : 404
        return [
            Field("title", #""Müze""#, isRequired: isNew, wrongText: wrong, isText: true),
            Field("materialType", #""stop""#, isRequired: false, wrongText: wrong, isText: true),
            Field("note", #""Bilet""#, isRequired: false, wrongText: wrong, isText: true),
            Field("place", #""geo:38.6,34.8""#, isRequired: false),
            Field("at", #""2026-06-01T00:00:00+03:00""#, isRequired: false),
            Field("collectionIds", "[]", isRequired: false), Field("isDeleted", "false", isRequired: false),
        ]
    }

    private static func itinerary(isNew: Bool) -> [Field] {
        let wrong = isNew ? 422 : 404
        return [
            Field("title", #""Gün 1""#, isRequired: isNew, wrongText: wrong, isText: true),
            Field("description", #""Göreme""#, isRequired: false, wrongText: wrong, isText: true),
            Field("isDeleted", "false", isRequired: false),
        ]
    }

    /// Where there is no such thing, that is said before its texts are looked at.
    private static func note(isNew: Bool) -> [Field] {
        ["title", "content"].map {
            Field($0, #""Müze""#, isRequired: isNew, wrongText: isNew ? 422 : 404, isText: true)
        }
    }

    private static let delta = [
        Field("last_sync_timestamp", #""2026-06-01T00:00:00.000000Z""#, isRequired: false),
        Field("bookmarks", "[]", isRequired: false), Field("categories", "[]", isRequired: false),
        Field("collections", "[]", isRequired: false),
        Field("deletions", "[]", isRequired: false), Field("kinds", "[]", isRequired: false),
    ]

    private static let organisations = [
        Form(route: "POST /organisations", fields: [Field("name", #""Müze""#, isFree: true)], good: 403),
        Form(route: "PATCH /organisations/{id}", fields: [Field("name", #""Müze""#, isFree: true)], good: 404),
        Form(
            route: "POST /organisations/{id}/join",
            fields: [Field("code", #""ABCD-EFGH-IJKL-MNOP""#, isRequired: false, wrongText: 0)], good: 401),
        Form(
            route: "PUT /organisations/{id}/members/{account}", fields: [Field("role", #""guide""#)], good: 404),
        Form(
            route: "POST /organisations/{id}/invitations",
            fields: [
                Field("email", #""new@example.org""#, isRequired: false),
                Field("role", #""guide""#, isRequired: false),
            ], good: 404),
    ]

    private static let notebook = [
        Form(route: "POST /api/v1/sync/delta", fields: delta, good: 200),
        Form(route: "POST /notes", fields: note(isNew: true), good: 201),
        Form(route: "PUT /notes/{id}", fields: note(isNew: false), good: 404),
        Form(route: "POST /collections", fields: itinerary(isNew: true), good: 201),
        Form(route: "PATCH /collections/{id}", fields: itinerary(isNew: false), good: 404),
        Form(
            route: "POST /collections/{id}/samples", fields: [Field("sampleId", #""sample_x""#, wrongText: 404)],
            good: 404),
        Form(route: "PUT /collections/{id}/samples", fields: [Field("sampleIds", "[]")], good: 404),
        Form(route: "POST /samples", fields: stop(isNew: true), good: 201),
        Form(route: "PATCH /samples/{id}", fields: stop(isNew: false), good: 404),
    ]

    @Test func everyRouteThatReadsABodyIsInTheTable() throws {
        let routes = try ContractTests.parts().routes.filter { if case .json = $0.body { true } else { false } }
        let names = routes.map { "\($0.method.rawValue) \($0.path)" }
        #expect(Set(names).symmetricDifference(Self.forms(genesis: "").map(\.route)).sorted() == [])
    }

    /// Values that no field of ours takes: another type than any it has.
    private static let otherTypes = [
        "17", "-1", "1.5e300", "123456789012345678901234567890", "{}", #"{"a":[1]}"#, "[[1]]", "[17]", "false",
        String(repeating: "[", count: 60) + String(repeating: "]", count: 60),
    ]

    /// Texts that no field of ours takes: control characters, and too long.
    private static let unprintable = [
        #""\u0000""#, #""a\u0001\u0007b""#, #""\u001b[2J""#, "\"" + String(repeating: "x", count: 50_000) + "\"",
    ]

    /// No number, address, id or base 64.
    private static let strange = [#""%""#, #""\u202e😀""#, "\"\""]

    @Test func eachFieldIsRefusedByItsName() async throws {
        let genesis = SampleTour().genesis
        for form in Self.forms(genesis: genesis) {
            try await RunningServer.run(change: { $0.isBehindProxy = true }) { server async throws in
                let asking = try await Asking(server, form.route)
                let before = try await server.rowCounts(Self.tables)
                for field in form.fields {
                    try await Self.tryAll(field, of: form, asking)
                }
                #expect(try await server.rowCounts(Self.tables) == before, "\(form.route): nothing is half written")
                // Each name once more with another value: the first one counts.
                let twice = form.fields.map { ",\"\($0.name)\":17" }.joined() + "}"
                let good = try await asking.send(String(Self.body(form.fields).dropLast()) + twice)
                #expect(good.status == form.good, "\(form.route): \(good.text)")
            }
        }
    }

    private static let tables = [
        "accounts", "sessions", "sent_codes", "outside_names", "tours", "controls", "logs", "events", "seats",
        "used_nonces", "notebook",
    ]

    private static func tryAll(_ field: Field, of form: Form, _ asking: Asking) async throws {
        func reply(_ value: String?) async throws -> Reply {
            try await asking.send(body(form.fields, with: field.name, as: value))
        }
        for value in otherTypes where !(["isActive", "isDeleted"].contains(field.name) && value == "false") {
            let refused = try await reply(value)
            #expect(refused.status == 422, "\(form.route) \(field.name) \(value.prefix(20)): \(refused.text)")
            let named = refused.field ?? ""
            #expect(
                named == field.name || named.hasPrefix(field.name + "["),
                "\(form.route) \(field.name) \(value.prefix(20)): \(refused.text)")
        }
        let texts = field.isFree ? unprintable : unprintable + strange
        for value in field.isText ? Array(unprintable.prefix(1)) : texts {
            let wanted = field.wrongText == 0 ? form.good : field.wrongText
            let refused = try await reply(value)
            #expect(refused.status == wanted, "\(form.route) \(field.name) \(value.prefix(20)): \(refused.text)")
            if wanted == 422 { #expect(refused.field == field.name, "\(form.route) \(field.name): \(refused.text)") }
        }
        for value in [nil, "null"] {
            guard field.isRequired else { continue }
            let refused = try await reply(value)
            #expect(
                refused.status == 422 && refused.field == field.name, "\(form.route) \(field.name): \(refused.text)")
        }
        let deep = try await reply(String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000))
        #expect(deep.status == 400 && deep.code == "bad-json", "\(form.route) \(field.name): \(deep.text)")
    }

    /// - Parameter value: in the place of the field's own; nil leaves it out.
    private static func body(_ fields: [Field], with name: String = "", as value: String? = nil) -> String {
        let pairs = fields.compactMap { field -> String? in
            guard field.name == name else { return "\"\(field.name)\":\(field.good)" }
            return value.map { "\"\(field.name)\":\($0)" }
        }
        return "{" + pairs.joined(separator: ",") + "}"
    }

    /// An account that may call every route, from another address each time.
    private final class Asking: Sendable {
        private let server: RunningServer
        private let method: HTTPMethod
        private let path: String
        private let token: String
        private let addresses = Counter()

        init(_ server: RunningServer, _ route: String) async throws {
            self.server = server
            let parts = route.split(separator: " ").map(String.init)
            method = HTTPMethod(rawValue: parts[0])
            path = parts[1].replacing("{id}", with: parts[1].hasPrefix("/accounts") ? "99" : FieldTests.id)
                .replacing("{account}", with: "99")
            token = try await server.newAccount("admin@example.org").access_token
            let door = try OpenedServer(settings: .data(in: server.directory))
            try await door.setRole(.admin, of: "admin@example.org", vouches: true)
            try await door.storage.close()
        }

        func send(_ body: String) async throws -> Reply {
            let number = addresses.next()
            // Nobody's rate is in the way, and the token lasts.
            server.clock.advance(seconds: 5)
            return try await server.send(
                method, path, token: token, body,
                headers: [("X-Forwarded-For", "10.0.\(number / 250).\(number % 250 + 1)")])
        }
    }
}
