import Foundation
import Hummingbird
import NIOCore
import TourAPI
import TourModel
import TourNode
import TourNodeWords
import TourPresentation
import TourWords

/// The node's local HTTP API. Contract: `Protocol/Schema/local-api.yaml`.
struct LocalAPI: Sendable {
    let slot: NodeSlot
    /// The page's door; nil: no page is served.
    let door: PageListener?
    /// Whether clients may name paths of this machine.
    let paths: LocalPathRule
    let uploads: PendingUploads
    /// Where answers appear.
    let surfaces: ClientSurfaces

    init(
        slot: NodeSlot, door: PageListener?, surfaces: ClientSurfaces, uploads: PendingUploads = PendingUploads(),
        paths: LocalPathRule = .absolute
    ) {
        self.slot = slot
        self.door = door
        self.surfaces = surfaces
        self.uploads = uploads
        self.paths = paths
    }

    /// Larger than any request except a stream of messages, which is read line by line.
    static let requestBytesMax = 256 * 1024

    /// The routes of the Unix socket: a client that can connect to it owns the data.
    var router: Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: FaultMiddleware(surfaces: surfaces))
        let api = router.group("v1")
        addShown(api)
        addKeeping(api)
        addEntries(api)
        return router
    }

    /// The routes of the page's door: the page's files, and with the token everything that the page shows. No route
    /// there accepts a path of this machine or touches the storage key.
    func pageRouter(_ door: PageListener) -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: PageHeaders())
        router.add(middleware: FaultMiddleware(surfaces: surfaces))
        router.add(middleware: SourceGuard(door: door))
        let api = router.group("v1").add(middleware: TokenGuard(door: door))
        LocalAPI(slot: slot, door: door, surfaces: surfaces, uploads: uploads, paths: .refused).addShown(api)
        addDownloads(router, door)
        Self.addEntrance(router, door)
        Self.addFiles(of: PageFile.all, to: router)
        return router
    }

    private func addShown(_ api: RouterGroup<BasicRequestContext>) {
        addNode(api)
        addTours(api)
        addInvites(api)
        AskingRoutes(slot: slot).add(to: api)
        SeatRoutes(slot: slot).add(to: api)
        addRoles(api)
        addMessages(api)
        addEvents(api)
        addMailbox(api)
        addPlaces(api)
        addFiles(api)
        addFileContent(api)
        addUploads(api)
        addNotebook(api)
        addNotebookContent(api)
        addShared(api)
        addPage(api)
        CodeRoutes.add(to: api)
        NetworkRoutes(slot: slot, surfaces: surfaces).add(to: api)
    }

    private func addNode(_ api: RouterGroup<BasicRequestContext>) {
        api.get("status") { [slot] request, _ in
            try Answer.json(await slot.node.status(request.query("tour")).answer(on: Reader.current.surface))
        }
        api.get("doctor") { [slot] _, _ in
            try Answer.json(CheckList(checks: await slot.node.doctor().map { $0.answer(on: Reader.current.surface) }))
        }
        api.get("peers") { [slot] request, _ in try Answer.json(try await slot.node.peers(request.query("tour"))) }
        api.put("name") { [slot] request, _ in
            let name = try await request.json(NodeName.self).name
            return try Answer.json(NodeName(name: try await slot.node.setName(name)))
        }
        api.post("join") { [slot] request, _ in
            struct Body: Decodable {
                var code: String
                var name: String?
                var timeoutSeconds: Int?
            }
            let body = try await request.json(Body.self)
            let timeout = min(max(body.timeoutSeconds ?? 30, 1), 600)
            return try Answer.json(try await slot.node.join(body.code, name: body.name, timeoutSeconds: timeout))
        }
    }

    private func addTours(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours") { [slot] _, _ in try Answer.json(TourListing(tours: try await slot.node.tours())) }
        api.post("tours") { [slot] request, _ in
            struct Body: Decodable {
                var name: String
                var history: String?
            }
            let body = try await request.json(Body.self)
            let history = body.history ?? "full"
            guard history == "full" || history == "none" else {
                throw WebError("bad-request", Phrase("A tour's history is “full” or “none”."))
            }
            return try Answer.json(try await slot.node.createTour(name: body.name, fullHistory: history == "full"))
        }
        api.get("tours/:tour") { [slot] _, context in try Answer.json(try await slot.node.details(context.tour)) }
        api.patch("tours/:tour") { [slot] request, context in
            struct Body: Decodable { var name: String }
            let body = try await request.json(Body.self)
            return try Answer.json(try await slot.node.renameTour(context.tour, to: body.name))
        }
        api.post("tours/:tour/use") { [slot] _, context in
            try Answer.json(try await slot.node.useTour(context.tour))
        }
        api.post("tours/:tour/leave") { [slot] _, context in
            try await slot.node.leaveTour(context.tour)
            return Answer.done
        }
        api.get("tours/:tour/open-matters") { [slot] _, context in
            try Answer.json(try await slot.node.openMatters(context.tour))
        }
        api.post("tours/:tour/close") { [slot] _, context in
            try await slot.node.closeTour(context.tour)
            return Answer.done
        }
        api.post("tours/:tour/recovery") { [slot] request, context in
            struct Body: Decodable { var way: TourNode.Recovery }
            let body = try await request.json(Body.self)
            return try Answer.json(try await slot.node.recoverTour(context.tour, by: body.way))
        }
        api.get("tours/:tour/members") { [slot] request, context in
            let here = try request.query("here").map(Coordinate.init(query:))
            return try Answer.json(try await slot.node.locatedMembers(context.tour, here: here))
        }
        api.get("tours/:tour/members/:member") { [slot] _, context in
            let name = context.parameters.get("member") ?? ""
            return try Answer.json(try await slot.node.member(name.removingPercentEncoding ?? name, of: context.tour))
        }
    }

    private func addRoles(_ api: RouterGroup<BasicRequestContext>) {
        struct MemberBody: Decodable { var member: String }
        api.post("tours/:tour/role") { [slot] request, context in
            struct Body: Decodable {
                var member: String
                var role: String
            }
            let body = try await request.json(Body.self)
            return try Answer.json(try await slot.node.setRole(body.role, of: body.member, in: context.tour))
        }
        api.post("tours/:tour/successor") { [slot] request, context in
            try Answer.json(await slot.node.setSuccessor(request.json(MemberBody.self).member, in: context.tour))
        }
        api.post("tours/:tour/remove") { [slot] request, context in
            try Answer.json(await slot.node.removeMember(request.json(MemberBody.self).member, from: context.tour))
        }
    }

    private func addInvites(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/invites") { [slot] _, context in
            try Answer.json(
                InviteList(
                    invites: try await slot.node.invites(context.tour), usesStandard: Limits.inviteUsesStandard,
                    expiresSecondsStandard: Limits.inviteLifetimeStandard))
        }
        api.post("tours/:tour/invites") { [slot] request, context in
            struct Body: Decodable {
                var expiresSeconds: Int64?
                var uses: Int?
                var unlimited, reuse: Bool?
            }
            let body = try await request.json(Body.self)
            let terms = try InviteTerms(
                uses: body.uses, expiresSeconds: body.expiresSeconds, isUnlimited: body.unlimited ?? false)
            return try Answer.json(await slot.node.createInvite(context.tour, terms, reuses: body.reuse ?? false))
        }
        api.delete("tours/:tour/invites/:id") { [slot] request, context in
            let id = context.parameters.get("id") ?? ""
            return try Answer.json(
                await slot.node.revokeInvite(id, since: request.sinceMilliseconds, in: context.tour))
        }
    }
}

extension BasicRequestContext {
    /// The tour in the request's path, decoded; `-` is the chosen one.
    var tour: String? { parameters.get("tour").map { $0.removingPercentEncoding ?? $0 } }
}

extension Request {
    /// A value of the query, decoded; `+` is itself.
    func query(_ name: String) -> String? { uri.queryParameters[Substring(name)].map { String($0) } }

    /// The time `since` of the query, in milliseconds since 1970.
    var sinceMilliseconds: Int64? {
        get throws(WebError) {
            guard let text = query("since") else { return nil }
            guard let since = Timestamp(text) else {
                throw WebError("bad-time", Phrase("A time reads 2026-06-01T08:00:00Z, not “\(text)”."))
            }
            return Int64(since.seconds) * 1_000
        }
    }

    func json<Body: Decodable>(_ type: Body.Type) async throws -> Body {
        try JSONDecoder().decode(type, from: Data(await bytes()))
    }

    func bytes() async throws -> ByteBufferView {
        try await body.collect(upTo: LocalAPI.requestBytesMax).readableBytesView
    }
}

/// Reading and encoding many messages takes longer than links may wait.
func besideTheLoop<Value>(_ work: () throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(globalConcurrentExecutor) { try work() }
}
