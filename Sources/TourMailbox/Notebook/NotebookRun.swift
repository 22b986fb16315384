import TourCurl
import TourModel
import TourNotebook

/// One sync of the notebook with the server. Source: `Protocol/12-notebook.md`, "On a device".
package struct NotebookRun: Sendable {
    /// The most items that a node requests in one exchange with the server, either way.
    package static let itemsMax = 1_000

    private let client: APIClient
    private let peer: any NotebookPeer
    /// To be passed to the next sync.
    package private(set) var memory: NotebookMemory

    package init(client: APIClient, peer: any NotebookPeer, memory: NotebookMemory) {
        self.client = client
        self.peer = peer
        self.memory = memory
    }

    /// No server can keep a node reading for ever.
    private static let exchangesMax = 10_000

    /// Completed steps stay done when this ends early.
    package mutating func run() async throws(NotebookRunError) {
        let account = try await account()
        guard let isOurs = await peer.claim(for: account) else { throw .store }
        guard isOurs else { throw .otherAccount }
        let device = try await exchange()
        try await upload(as: device)
    }

    /// Asked once for each login.
    private mutating func account() async throws(NotebookRunError) -> NotebookID {
        guard let login = await client.account?.account else { throw .api(.unauthenticated) }
        if memory.login == login, let known = memory.account { return known }
        do {
            let profile = try await client.request(ProfileAnswer.self, .profile)
            memory = NotebookMemory(login: login, account: profile.id)
            return profile.id
        } catch {
            throw .api(error)
        }
    }

    /// - Returns: the name of the device.
    private func exchange() async throws(NotebookRunError) -> String? {
        var device: String?
        var position: Int64 = 0
        var limit = Self.itemsMax
        var wentBack = false
        for _ in 0..<Self.exchangesMax {
            try checkCancellation()
            guard let (exchange, next) = await peer.exchange(after: position, limit: limit) else { throw .store }
            device = exchange.request.device
            let answer: DeltaAnswer
            do throws(APIError) {
                answer = try await client.request(DeltaAnswer.self, .delta(exchange.request))
            } catch {
                // Too much for one request, or for one answer.
                guard limit > 1, Self.isTooMuch(error) else { throw .api(error) }
                limit = max(limit / 8, 1)
                continue
            }
            guard await peer.receive(answer, to: exchange) else { throw .store }
            position = next
            if exchange.wentBack(answer), !wentBack {
                // All changes wait again.
                wentBack = true
                position = 0
                continue
            }
            let isGoingOn = answer.hasMore && answer.serverTime != exchange.request.cursor
            if !isGoingOn, !exchange.isFull { break }
        }
        return device
    }

    private static func isTooMuch(_ error: APIError) -> Bool {
        switch error {
        case .decoding, .http(413, _, _): true
        default: false
        }
    }

    private func upload(as device: String?) async throws(NotebookRunError) {
        var position: Int64 = 0
        while let upload = await peer.upload(after: position) {
            try checkCancellation()
            position = upload.position
            let peer = peer
            do throws(APIError) {
                let answer = try await client.request(
                    UpsertAnswer.self, .upsert(upload, from: device) { await peer.part(of: upload, $0) })
                guard let item = answer.places.first(where: { $0.id == upload.item.id }) else { throw .decoding }
                await peer.settle(upload, as: item)
            } catch .http(404, _, _) {
                // The place was deleted meanwhile: the next exchange will report that.
                continue
            } catch .http(let status, let code, _) where Self.refusals.contains(status) {
                await peer.refuse(upload, code.words ?? "\(status) \(code.code)")
            } catch {
                throw .api(error)
            }
        }
    }

    /// With these statuses the server would reject the same file every time.
    private static let refusals: Set = [400, 413, 415, 422, 507]

    private func checkCancellation() throws(NotebookRunError) {
        if Task.isCancelled { throw .api(.network(.cancelled)) }
    }

    /// Fetches a picture or file.
    /// - Returns: its bytes and their type.
    package static func fetch(
        _ file: PlaceFile, from client: APIClient
    ) async throws(APIError) -> (bytes: [UInt8], media: String) {
        let reply = try await client.reply(to: .file(file))
        return (reply.body, reply.type)
    }
}

/// Kept from one sync of the notebook to the next, while the node runs.
package struct NotebookMemory: Sendable {
    /// The account as the user typed it, and its id at the server.
    var login: String?
    var account: NotebookID?

    package init() {}

    init(login: String, account: NotebookID) {
        self.login = login
        self.account = account
    }
}

/// Why a sync of the notebook ended early.
package enum NotebookRunError: Fault, Hashable {
    case api(APIError)
    /// The notebook belongs to another account.
    case otherAccount
    /// The node's own disk failed.
    case store

    package var scope: FaultScope { self == .store ? .node : .record }

    package var code: String {
        switch self {
        case .api(let error): error.code
        case .otherAccount: "other-account"
        case .store: "store"
        }
    }
    package var english: String {
        switch self {
        case .api(let error): error.english
        case .otherAccount: "the notebook belongs to another account"
        case .store: "the notebook could not be read or written"
        }
    }
}
