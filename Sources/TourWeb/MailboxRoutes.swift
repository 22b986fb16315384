import Foundation
import Hummingbird
import NIOCore
import TourModel
import TourNode
import TourPresentation
import TourWords

// The server: login and syncs.
extension LocalAPI {
    func addMailbox(_ api: RouterGroup<BasicRequestContext>) {
        api.post("mailbox/login") { [slot] request, _ in
            struct Body: Decodable {
                var server: String?
                var email: String?
                var password: String?
                var phone: String?
                var code: String?
            }
            let body = try await request.json(Body.self)
            let proof: TourNode.Login.Proof
            switch (body.email, body.password, body.phone, body.code) {
            case (let email?, let password?, nil, nil): proof = .password(email: email, password)
            case (nil, nil, let phone?, nil): proof = .phone(phone)
            case (nil, nil, let phone?, let code?): proof = .code(phone: phone, code)
            default: throw WebError("bad-request", Phrase("Log in with email and password, or with phone and code."))
            }
            return try Answer.json(try await slot.node.logIn(TourNode.Login(server: body.server, proof: proof)))
        }
        api.post("mailbox/logout") { [slot] _, _ in
            try await slot.node.logOut()
            return try Answer.json([String: String]())
        }
        api.post("tours/:tour/archive") { [slot] _, context in
            try Answer.json(try await slot.node.inviteArchive(to: context.tour))
        }
        api.delete("tours/:tour/archive") { [slot] _, context in
            try Answer.json(try await slot.node.removeArchive(from: context.tour))
        }
        api.post("tours/:tour/sync") { [slot] request, context in
            let watches = request.query("watch") == "true"
            let reports = try await slot.node.syncReports(context.tour, asks: true)
            return Answer.stream { writer in
                for await report in reports {
                    try await writer.write(
                        ByteBuffer(bytes: try Answer.encoded(report.answer(on: Reader.current.surface)) + [0x0A]))
                    if !watches, report.state != .syncing { return }
                }
            }
        }
    }
}
