import Foundation
import Hummingbird
import NIOCore
import TourNode

/// The node's local HTTP API. Contract: `Protocol/Schema/local-api.yaml`.
struct LocalAPI: Sendable {
    let node: TourNode

    /// Larger than any request but a stream of messages, which is read line by line.
    static let requestBytesMax = 256 * 1024

    var router: Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: FaultMiddleware())
        let api = router.group("v1")
        addNode(api)
        addTours(api)
        addInvites(api)
        addMessages(api)
        return router
    }

    private func addNode(_ api: RouterGroup<BasicRequestContext>) {
        api.get("status") { [node] request, _ in
            try Answer.json(try await node.status(request.query("tour")))
        }
        api.get("doctor") { [node] _, _ in try Answer.json(["checks": await node.doctor()]) }
        api.get("peers") { [node] request, _ in try Answer.json(try await node.peers(request.query("tour"))) }
        api.put("name") { [node] request, _ in
            struct Body: Codable { var name: String }
            let body = try await request.json(Body.self)
            return try Answer.json(Body(name: try await node.setName(body.name)))
        }
        api.post("join") { [node] request, _ in
            struct Body: Decodable {
                var code: String
                var name: String?
                var timeoutSeconds: Int?
            }
            let body = try await request.json(Body.self)
            let timeout = min(max(body.timeoutSeconds ?? 30, 1), 600)
            return try Answer.json(try await node.join(body.code, name: body.name, timeoutSeconds: timeout))
        }
    }

    private func addTours(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours") { [node] _, _ in try Answer.json(["tours": try await node.tours()]) }
        api.post("tours") { [node] request, _ in
            struct Body: Decodable {
                var name: String
                var history: String?
            }
            let body = try await request.json(Body.self)
            let history = body.history ?? "full"
            guard history == "full" || history == "none" else {
                throw NodeError("bad-request", "A tour's history is “full” or “none”.")
            }
            return try Answer.json(try await node.createTour(name: body.name, fullHistory: history == "full"))
        }
        api.get("tours/:tour") { [node] _, context in try Answer.json(try await node.details(context.tour)) }
        api.patch("tours/:tour") { [node] request, context in
            struct Body: Decodable { var name: String }
            let body = try await request.json(Body.self)
            return try Answer.json(try await node.renameTour(context.tour, to: body.name))
        }
        api.post("tours/:tour/leave") { [node] _, context in
            try await node.leaveTour(context.tour)
            return try Answer.json([String: String]())
        }
        api.post("tours/:tour/close") { [node] _, context in
            try await node.closeTour(context.tour)
            return try Answer.json([String: String]())
        }
        api.get("tours/:tour/members") { [node] _, context in
            try Answer.json(["members": try await node.members(context.tour)])
        }
    }

    private func addInvites(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/invites") { [node] _, context in
            try Answer.json(["invites": try await node.invites(context.tour)])
        }
        api.post("tours/:tour/invites") { [node] request, context in
            struct Body: Decodable {
                var expiresSeconds: Int64?
                var uses: Int?
                var reuse: Bool?
            }
            let body = try await request.json(Body.self)
            return try Answer.json(
                try await node.createInvite(
                    context.tour, uses: body.uses, expiresSeconds: body.expiresSeconds, reuses: body.reuse ?? false))
        }
        api.delete("tours/:tour/invites/:id") { [node] _, context in
            try await node.revokeInvite(context.parameters.get("id") ?? "", in: context.tour)
            return try Answer.json([String: String]())
        }
    }
}

extension BasicRequestContext {
    /// The tour that the path names, decoded; `-` is the latest.
    var tour: String? { parameters.get("tour").map { $0.removingPercentEncoding ?? $0 } }
}

extension Request {
    func query(_ name: String) -> String? { uri.queryParameters[Substring(name)].map { String($0) } }

    func json<Body: Decodable>(_ type: Body.Type) async throws -> Body {
        try JSONDecoder().decode(type, from: Data(await bytes()))
    }

    func bytes() async throws -> ByteBufferView {
        try await body.collect(upTo: LocalAPI.requestBytesMax).readableBytesView
    }
}
