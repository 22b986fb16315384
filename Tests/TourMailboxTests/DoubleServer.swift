import NIOCore
import NIOHTTP1
import NIOPosix

/// What somebody asked.
struct Asked: Sendable {
    var method: String
    var path: String
    var query: String
    var headers: HTTPHeaders
    var body: [UInt8]

    var token: String? { headers.first(name: "Authorization").map { String($0.dropFirst("Bearer ".count)) } }
}

/// What the double does with a request.
enum Reaction: Sendable {
    case answer(Int, [(String, String)], [UInt8])
    /// Head and half of the body, then the connection ends.
    case half([UInt8])
    /// The connection ends without a word.
    case hangUp
    /// Nothing, until the other side gives up.
    case silence

    static func json(_ status: Int, _ text: String) -> Reaction {
        .answer(status, [("Content-Type", "application/json")], Array(text.utf8))
    }

    static func refusal(_ status: Int, _ code: String, retryAfter: Int? = nil) -> Reaction {
        var headers = [("Content-Type", "application/json")]
        if let retryAfter { headers.append(("Retry-After", String(retryAfter))) }
        return .answer(status, headers, Array(#"{"error":{"code":"\#(code)","message":"no"}}"#.utf8))
    }

    static let loginPage = Reaction.answer(
        200, [("Content-Type", "text/html")], Array("<html>Welcome to our Wi-Fi</html>".utf8))
    static let redirect = Reaction.answer(302, [("Location", "http://login.example/")], [])
}

/// A real HTTP server on this machine that does what a test says.
final class DoubleServer: Sendable {
    /// On the connection's own thread: a test that keeps the others busy for half a minute makes no answer late.
    typealias Handler = @Sendable (Asked) -> Reaction

    private let channel: any Channel
    private let front: Certificate.Front?

    /// - Parameter isSecure: whether it speaks TLS, with `Certificate`.
    init(isSecure: Bool = false, handler: @escaping Handler) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(DoubleHandler(handler))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        front = isSecure ? try Certificate.Front(of: channel.localAddress?.port ?? 0) : nil
    }

    var port: Int { front?.port ?? channel.localAddress?.port ?? 0 }
    var address: String { "\(front == nil ? "http" : "https")://127.0.0.1:\(port)" }

    func close() async { try? await channel.close() }
}

private final class DoubleHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let handler: DoubleServer.Handler
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ handler: @escaping DoubleServer.Handler) { self.handler = handler }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let bytes): body += bytes.readableBytesView
        case .end: answer(on: context.channel)
        }
    }

    private func answer(on channel: any Channel) {
        guard let head else { return }
        let parts = head.uri.split(separator: "?", maxSplits: 1).map { String($0) }
        let asked = Asked(
            method: head.method.rawValue, path: parts[0], query: parts.count > 1 ? parts[1] : "",
            headers: head.headers, body: body)
        Self.react(handler(asked), on: channel)
    }

    private static func react(_ reaction: Reaction, on channel: any Channel) {
        switch reaction {
        case .answer(let status, let fields, let bytes):
            var headers = HTTPHeaders(fields)
            headers.add(name: "Content-Length", value: String(bytes.count))
            channel.write(
                HTTPServerResponsePart.head(
                    .init(version: .http1_1, status: .init(statusCode: status), headers: headers)), promise: nil)
            channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes))), promise: nil)
            channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        case .half(let bytes):
            let headers: HTTPHeaders = [
                "Content-Type": "application/json", "Content-Length": String(bytes.count),
            ]
            channel.write(
                HTTPServerResponsePart.head(.init(version: .http1_1, status: .ok, headers: headers)), promise: nil)
            let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes.prefix(bytes.count / 2))))
            channel.writeAndFlush(part).whenComplete { _ in channel.close(promise: nil) }
        case .hangUp: channel.close(promise: nil)
        case .silence: break
        }
    }
}
