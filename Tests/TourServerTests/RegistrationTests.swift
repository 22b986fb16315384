import NIOHTTP1
import ServerRequests
import Testing
import TourServer

/// Goal: only those whom the operator lets in get an account, by whatever request they ask for one.
/// Method: a whole server with each rule over HTTP; the operator's commands beside it.
struct RegistrationTests {
    private static let phone = "+905551112233"

    /// Each request by which somebody who is nobody yet gets a name.
    enum Way: String, CaseIterable {
        case signup, phone, guestSignsUp, guestTakesPhone, guestSetsPhone, guestSetsEmail

        var isGuests: Bool { self != .signup && self != .phone }
    }

    private static func run(
        _ rule: Registration.Rule, guests: Registration.Guests? = nil,
        _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        try await RunningServer.run(change: { $0.rules.registration = Registration(rule, guests: guests) }, body)
    }

    private static func ask(
        _ way: Way, of server: RunningServer, invitation: String? = nil
    ) async throws -> Reply {
        let more = invitation.map { #","invitation":"\#($0)"}"# } ?? "}"
        var token: String?
        if way.isGuests {
            token = try await server.send(.POST, "/auth/anonymous").decoded(Tokens.self).access_token
        }
        switch way {
        case .signup, .guestSignsUp:
            return try await server.send(
                .POST, "/auth/signup", token: token, #"{"email":"a@example.org","password":"correct horse""# + more)
        case .phone, .guestTakesPhone:
            let code = try await server.code(for: phone)
            return try await server.send(
                .POST, "/auth/sms/verify", token: token, #"{"phone":"\#(phone)","code":"\#(code)""# + more)
        case .guestSetsPhone:
            let code = try await server.code(for: phone)
            return try await server.send(
                .PUT, "/auth/me/phone", token: token, #"{"phone":"\#(phone)","code":"\#(code)""# + more)
        case .guestSetsEmail:
            _ = try await server.send(.POST, "/auth/me/email", token: token, #"{"email":"a@example.org"}"#)
            let code = server.messages.mailedCodes("a@example.org").last ?? ""
            return try await server.send(
                .PUT, "/auth/me/email", token: token, #"{"email":"a@example.org","code":"\#(code)""# + more)
        }
    }

    @Test(arguments: Way.allCases)
    func aClosedServerMakesNoAccount(way: Way) async throws {
        try await Self.run(.closed, guests: .on) { server async throws in
            let reply = try await Self.ask(way, of: server, invitation: "ABCD-EFGH-IJKL-MNOP")
            #expect(reply.status == 403 && reply.code == "registration-closed", "\(reply.text)")
            #expect(try await server.asOperator { try await $0.accounts(matching: "a@", limit: 9) }.rows.isEmpty)
            #expect(try await server.asOperator { try await $0.accounts(matching: "555", limit: 9) }.rows.isEmpty)
        }
    }

    /// A code lets one account in, once, and what refuses the account for another reason uses up no code.
    @Test(arguments: Way.allCases)
    func anInvitationLetsOneIn(way: Way) async throws {
        try await Self.run(.invited, guests: .on) { server async throws in
            for wrong in [nil, "", "ABCD-EFGH-IJKL-MNOP"] {
                let reply = try await Self.ask(way, of: server, invitation: wrong)
                #expect(reply.status == 403 && reply.code == "invitation-needed", "\(reply.text)")
                server.clock.advance(seconds: 3_600)
            }
            let code = try await server.asOperator { try await $0.inviteAccount(days: 1).code }
            let taken = try await server.asOperator { try await $0.makeAccount("b@example.org", cost: .least) }
            #expect(taken.account.isEmailProven && taken.account.email == "b@example.org")
            let refused = try await server.send(
                .POST, "/auth/signup",
                #"{"email":"b@example.org","password":"correct horse","invitation":"\#(code)"}"#)
            #expect(refused.code == "email-taken")
            let made = try await Self.ask(way, of: server, invitation: code.lowercased().replacing("-", with: ""))
            #expect([200, 201].contains(made.status), "\(made.text)")
            let second = try await server.send(
                .POST, "/auth/signup",
                #"{"email":"c@example.org","password":"correct horse","invitation":"\#(code)"}"#)
            #expect(second.status == 403 && second.code == "invitation-needed")
        }
    }

    @Test func anInvitationEnds() async throws {
        try await Self.run(.invited) { server async throws in
            let code = try await server.asOperator { try await $0.inviteAccount(days: 1).code }
            server.clock.advance(seconds: 86_400)
            #expect(try await Self.ask(.signup, of: server, invitation: code).code == "invitation-needed")
        }
    }

    /// An account that the operator makes logs in, whatever the rule.
    @Test(arguments: Registration.Rule.allCases)
    func theOperatorsAccountsLogIn(rule: Registration.Rule) async throws {
        try await Self.run(rule) { server async throws in
            let made = try await server.asOperator { try await $0.makeAccount("A@example.org", cost: .least) }
            #expect(try await server.logIn("a@example.org", password: made.password ?? "").status == 200)
            let byPhone = try await server.asOperator { try await $0.makeAccount(Self.phone, cost: .least) }
            #expect(byPhone.password == nil)
            #expect(try await Self.ask(.phone, of: server).status == 200)
        }
    }

    @Test(
        arguments: [
            (Registration.Rule.open, nil, true), (.open, .off, false), (.invited, nil, false), (.closed, nil, false),
            (.closed, .on, true),
        ] as [(Registration.Rule, Registration.Guests?, Bool)])
    func guestsComeInAsTheOperatorSays(
        rule: Registration.Rule, guests: Registration.Guests?, isLetIn: Bool
    ) async throws {
        try await Self.run(rule, guests: guests) { server async throws in
            let reply = try await server.send(.POST, "/auth/anonymous")
            #expect(reply.status == (isLetIn ? 201 : 403) && reply.code == (isLetIn ? nil : "guests-off"))
        }
    }

    /// A group of 46 shares the address of its hotel; a stranger elsewhere gets no more than the operator says.
    @Test func anAddressGetsAsManyAsTheOperatorSays() async throws {
        try await RunningServer.run(
            change: {
                $0.rules.addressBounds.texts = 46
                $0.rules.addressBounds.signups = 2
            }
        ) { server async throws in
            for number in 0...46 {
                let phone = "+9055511122\(10 + number)"
                let reply = try await server.send(.POST, "/auth/sms/request", #"{"phone":"\#(phone)"}"#)
                #expect(reply.status == (number < 46 ? 202 : 429), "\(number)")
            }
            for number in 0...2 {
                let reply = try await server.send(.POST, "/auth/anonymous")
                #expect(reply.status == (number < 2 ? 201 : 429), "\(number)")
            }
        }
    }
}

extension PasswordHasher.Cost {
    fileprivate static let least = PasswordHasher.Cost(operations: 1, memoryBytes: 8 * 1024)
}
