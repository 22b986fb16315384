import Hummingbird
import NIOCore
import TourMailbox
import TourNode
import TourWords

/// The account at the server: login, contacts, sessions, password and second factor.
/// Source: `Protocol/Schema/local-api.yaml`.
struct AccountRoutes: Sendable {
    let slot: NodeSlot

    func add(to api: RouterGroup<BasicRequestContext>) {
        addLogin(api)
        addContacts(api)
        addExport(api)
        addSecondFactor(api)
    }

    /// The password of an account that has one, and its second factor.
    private struct OwnerProof: Decodable {
        var password: String?
        var secondFactor: String?

        var value: ServerAccount.OwnerProof { .init(password: password, secondFactor: secondFactor) }
    }

    private func addLogin(_ api: RouterGroup<BasicRequestContext>) {
        api.post("mailbox/login") { [slot] request, _ in
            struct Body: Decodable {
                var server: String?
                var email: String?
                var password: String?
                var phone: String?
                var code: String?
                var secondFactor: String?
            }
            let body = try await request.json(Body.self)
            let proof: ServerAccount.Proof
            switch (body.email, body.password, body.phone, body.code) {
            case (let email?, let password?, nil, nil): proof = .password(email: email, password)
            case (nil, nil, let phone?, nil): proof = .phone(phone)
            case (nil, nil, let phone?, let code?): proof = .code(phone: phone, code)
            default: throw WebError("bad-request", Phrase("Log in with email and password, or with phone and code."))
            }
            let login = TourNode.Login(server: body.server, proof: proof, secondFactor: body.secondFactor)
            return try Answer.json(try await slot.node.logIn(login))
        }
        api.post("mailbox/logout") { [slot] _, _ in
            try await slot.node.serverAccount().logOut()
            return Answer.done
        }
        api.post("mailbox/reset") { [slot] request, _ in
            struct Body: Decodable {
                var server: String?
                var email: String?
                var phone: String?
                var code: String?
                var password: String?
            }
            let body = try await request.json(Body.self)
            let contact = try Self.contact(email: body.email, phone: body.phone)
            let account = try await slot.node.serverAccount(at: body.server)
            switch (body.code, body.password) {
            case (let code?, let password?):
                try await account.resetPassword(of: contact, code: code, password)
                return try Answer.json(["codeSent": false])
            case (nil, nil):
                try await account.forgetPassword(of: contact)
                return try Answer.json(["codeSent": true])
            default: throw WebError("bad-request", Phrase("A code and a new password go together."))
            }
        }
        api.get("mailbox/account") { [slot] _, _ in
            try Answer.json(try await slot.node.serverAccount().overview())
        }
        api.delete("mailbox/account/sessions") { [slot] _, _ in
            try await slot.node.serverAccount().endSessions(nil)
            return Answer.done
        }
        api.delete("mailbox/account/sessions/:session") { [slot] _, context in
            try await slot.node.serverAccount().endSessions(context.parameters.get("session") ?? "")
            return Answer.done
        }
    }

    private func addContacts(_ api: RouterGroup<BasicRequestContext>) {
        api.post("mailbox/account/contact") { [slot] request, _ in
            struct Body: Decodable {
                var email: String?
                var phone: String?
                var code: String?
                var password: String?
                var secondFactor: String?
            }
            let body = try await request.json(Body.self)
            let contact = try Self.contact(email: body.email, phone: body.phone)
            let account = try await slot.node.serverAccount()
            guard let code = body.code else {
                try await account.requestCode(for: contact)
                return try Answer.json(["codeSent": true])
            }
            let proof = ServerAccount.OwnerProof(password: body.password, secondFactor: body.secondFactor)
            try await account.set(contact, code: code, proof)
            return try Answer.json(["codeSent": false])
        }
        api.post("mailbox/account/password") { [slot] request, _ in
            struct Body: Decodable {
                var password: String
                var old: String?
            }
            let body = try await request.json(Body.self)
            try await slot.node.serverAccount().setPassword(body.password, old: body.old)
            return Answer.done
        }
    }

    private func addExport(_ api: RouterGroup<BasicRequestContext>) {
        api.post("mailbox/account/export") { [slot] request, _ in
            let proof = try await request.json(OwnerProof.self).value
            let account = try await slot.node.serverAccount()
            let pieces = RelayedPieces { give in try await account.export(proof, receive: give) }
            // A refusal comes before the first piece, and is the whole answer.
            let first = try await pieces.next()
            return Answer.stream(mediaType: "application/x-tar") { writer in
                var piece = first
                while let bytes = piece {
                    try await writer.write(ByteBuffer(bytes: bytes))
                    piece = try await pieces.next()
                }
            }
        }
    }

    private func addSecondFactor(_ api: RouterGroup<BasicRequestContext>) {
        api.post("mailbox/account/totp") { [slot] request, _ in
            let proof = try await request.json(OwnerProof.self)
            return try Answer.json(try await slot.node.serverAccount().beginSecondFactor(proof.value))
        }
        api.post("mailbox/account/totp/confirm") { [slot] request, _ in
            struct Body: Decodable { var code: String }
            let body = try await request.json(Body.self)
            return try Answer.json(try await slot.node.serverAccount().confirmSecondFactor(body.code))
        }
        api.post("mailbox/account/totp/codes") { [slot] request, _ in
            let proof = try await request.json(OwnerProof.self)
            return try Answer.json(try await slot.node.serverAccount().renewRecoveryCodes(proof.value))
        }
        api.post("mailbox/account/totp/remove") { [slot] request, _ in
            let proof = try await request.json(OwnerProof.self)
            try await slot.node.serverAccount().removeSecondFactor(proof.value)
            return Answer.done
        }
    }

    private static func contact(email: String?, phone: String?) throws -> ServerAccount.Contact {
        switch (email, phone) {
        case (let email?, nil): return .email(email)
        case (nil, let phone?): return .phone(phone)
        default: throw WebError("bad-request", Phrase("Name an email or a phone."))
        }
    }
}
