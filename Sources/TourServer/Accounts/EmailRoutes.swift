import HTTPTypes

/// Routes by which an account proves its e-mail address.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct EmailRoutes: Sendable {
    let parts: ServerParts

    var routes: [Route] {
        [
            Route(.post, "/auth/email/request", limits: [.mailPerClient], handler: requestCode),
            Route(.post, "/auth/email/verify", body: .json, limits: [.codesPerAddress], handler: verifyCode),
        ]
    }

    private func requestCode(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        guard let email = account.email.flatMap({ EmailAddress($0) }) else { throw Failure(.notFound, field: "email") }
        guard !account.isEmailProven else { return .noContent }
        try await EmailProofs(parts: parts).send(to: email, of: account.id, call)
        return Answer(.accepted)
    }

    private func verifyCode(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable { var code: String }
        let account = try call.requireAccount()
        // A string that is not six digits counts as a wrong code.
        guard let code = SMSCode(try call.json(Body.self).code) else { throw Failure(.badCode) }
        let secret = parts.secret
        return try await call.settle(parts.storage) { sql throws(Failure) in
            guard try sql.proveEmail(of: account, by: code, secret, now: call.now),
                let proven = try sql.account(id: account.id)
            else { return (.failure(Failure(.badCode)), ()) }
            return (.success(try .json(AccountBody(proven))), ())
        }.answer
    }
}
