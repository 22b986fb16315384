import NIOCore
import NIOHTTP1
import NIOPosix
import TourNode
import TourWeb

/// What a request does. Source: RFC 9110 and, for PATCH, RFC 5789.
enum LocalMethod: String, Sendable {
    case GET, POST, PUT, PATCH, DELETE
}

/// The local API of one node: HTTP/1.1 over its Unix socket, a connection a request.
///
/// Source: `Protocol/Schema/local-api.yaml`.
struct LocalClient: Sendable {
    typealias Channel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// Of an answer that is taken as a whole.
    static let answerBytesMax = 16 * 1024 * 1024

    let dataDirectory: String
    /// The node is our own, without a network, for this command only.
    var isOffline = false

    /// One request, one answer.
    /// - Throws: `CommandFailure`, with the node's own code when it refused.
    func call(_ method: LocalMethod, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        let answer = Collected()
        try await exchange(request(method, path, body == nil ? nil : "application/json")) { outbound in
            if let body { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body.encoded)))) }
        } receive: { chunk in
            try answer.add(chunk)
        }
        guard let value = try? JSON(parsing: answer.bytes) else { throw CommandFailure.badAnswer }
        return value
    }

    /// A GET whose answer is handed on piece by piece, as it comes.
    func stream(_ path: String, receive: (ByteBuffer) async throws -> Void) async throws {
        try await exchange(request(.GET, path, nil), send: { _ in }, receive: receive)
    }

    /// A POST of NDJSON; request and answer run at the same time, until both have ended.
    func converse(
        _ path: String, send: @escaping @Sendable ((ByteBuffer) async throws -> Void) async throws -> Void,
        receive: (ByteBuffer) async throws -> Void
    ) async throws {
        try await exchange(request(.POST, path, "application/x-ndjson")) { outbound in
            try await send { try await outbound.write(.body(.byteBuffer($0))) }
        } receive: { chunk in
            try await receive(chunk)
        }
    }

    private func request(_ method: LocalMethod, _ path: String, _ contentType: String?) -> HTTPRequestHead {
        var headers: HTTPHeaders = ["Host": "localhost", "Connection": "close"]
        if let contentType {
            headers.add(name: "Content-Type", value: contentType)
            headers.add(name: "Transfer-Encoding", value: "chunked")
        }
        return HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: method.rawValue), uri: path, headers: headers)
    }

    private func exchange(
        _ head: HTTPRequestHead,
        send: @escaping @Sendable (NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>) async throws -> Void,
        receive: (ByteBuffer) async throws -> Void
    ) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        // Bytes are taken up and handed on by the thread that reads them.
        try await withTaskExecutorPreference(LoopExecutor(loop)) {
            try await exchange(head, on: loop, send: send, receive: receive)
        }
    }

    private func exchange(
        _ head: HTTPRequestHead, on loop: any EventLoop,
        send: @escaping @Sendable (NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>) async throws -> Void,
        receive: (ByteBuffer) async throws -> Void
    ) async throws {
        let channel = try await connect(on: loop)
        do {
            try await channel.executeThenClose { inbound, outbound in
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask {
                        try await outbound.write(.head(head))
                        try await send(outbound)
                        try await outbound.write(.end(nil))
                    }
                    try await read(inbound, receive: receive)
                    tasks.cancelAll()
                    // An answer may end before the request does, when the node refused it: what the writer then
                    // meets on the closed connection says nothing new.
                    while await tasks.nextResult() != nil {}
                }
            }
        } catch let error as CommandFailure {
            throw error
        } catch is ClosedOutput {
            throw ClosedOutput()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw CommandFailure.nodeGone
        }
    }

    private func connect(on loop: any EventLoop) async throws -> Channel {
        guard let connection = try NodeSocket.connect(dataDirectory: dataDirectory) else {
            throw CommandFailure.noNode
        }
        return try await ClientBootstrap(group: loop)
            .withConnectedSocket(connection.descriptor) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try Channel(wrappingChannelSynchronously: channel)
                }
            }
    }

    private func read(
        _ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>, receive: (ByteBuffer) async throws -> Void
    ) async throws {
        var refusal: (status: UInt, answer: Collected)?
        for try await part in inbound {
            switch part {
            case .head(let head) where !(200..<300).contains(head.status.code):
                refusal = (UInt(head.status.code), Collected())
            case .head: break
            case .body(let chunk):
                if let refusal { try refusal.answer.add(chunk) } else { try await receive(chunk) }
            case .end:
                guard let refusal else { return }
                throw CommandFailure(answer: try? JSON(parsing: refusal.answer.bytes), status: refusal.status)
            }
        }
        throw CommandFailure.nodeGone
    }
}

/// The bytes of an answer, up to a bound.
private final class Collected {
    private(set) var bytes: [UInt8] = []

    func add(_ chunk: ByteBuffer) throws(CommandFailure) {
        guard bytes.count + chunk.readableBytes <= LocalClient.answerBytesMax else { throw .badAnswer }
        bytes += chunk.readableBytesView
    }
}
