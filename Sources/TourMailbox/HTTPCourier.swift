import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import TourModel

/// Over HTTP/1.1. Made when a server is set, not before: the idle node has no use for its memory.
package final class HTTPCourier: Courier {
    private let client: HTTPClient

    /// - Parameter authority: a PEM file with the certificates of authorities to trust instead of the system's.
    /// - Throws: `APIError.badAuthority` for a file that holds none.
    package init(loop: any EventLoop, authority: String? = nil) throws(APIError) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.timeout = .init(connect: Self.connectTimeout, read: Self.silence)
        // Between two syncs nothing is held open.
        configuration.connectionPool = .init(idleTimeout: .seconds(5))
        configuration.connectionPool.retryConnectionEstablishment = false
        if let authority {
            guard let certificates = try? NIOSSLCertificate.fromPEMFile(authority), !certificates.isEmpty else {
                throw .badAuthority
            }
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(certificates)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroup: loop, configuration: configuration)
    }

    // Source: `Protocol/09-mailbox.md`, "Limits".
    private static let connectTimeout = TimeAmount.seconds(10)
    private static let silence = TimeAmount.seconds(30)
    /// For a whole exchange: 4 MiB at 64 kbit/s.
    private static let exchangeTimeout = TimeAmount.minutes(10)
    /// For what is longer than that.
    private static let bytesPerSecond: Int64 = 8 * 1024

    /// For a body that goes on: the server shows every 25 s that it is there.
    private static let followingTimeout = TimeAmount.hours(24)

    package func send(_ letter: Letter) async throws(APIError) -> Reply {
        do {
            let response = try await client.execute(Self.request(letter), timeout: Self.timeout(letter))
            let body = try await response.body.collect(upTo: letter.answerMax)
            return Self.reply(response, Array(body.readableBytesView))
        } catch {
            throw Self.fault(error)
        }
    }

    private static func timeout(_ letter: Letter) -> TimeAmount {
        let bytes = (letter.pieces?.length ?? 0) + Int64(max(letter.answerMax - Limits.mailboxAnswerBytesMax, 0))
        return exchangeTimeout + .seconds(bytes / bytesPerSecond)
    }

    private static func request(_ letter: Letter) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: letter.address)
        request.method = letter.method
        request.headers = letter.headers
        if let pieces = letter.pieces {
            request.body = .stream(PieceBuffers(pieces: pieces), length: .known(pieces.length))
        } else if !letter.body.isEmpty {
            request.body = .bytes(ByteBuffer(bytes: letter.body))
        }
        return request
    }

    private static func reply(_ response: HTTPClientResponse, _ body: [UInt8]) -> Reply {
        Reply(status: Int(response.status.code), headers: response.headers, body: body)
    }

    package func follow(
        _ letter: Letter, receive: @Sendable ([UInt8]) async -> Void
    ) async throws(APIError) -> Reply {
        do {
            let response = try await client.execute(Self.request(letter), timeout: Self.followingTimeout)
            guard response.status == .ok else {
                let body = try await response.body.collect(upTo: Limits.mailboxAnswerBytesMax)
                return Self.reply(response, Array(body.readableBytesView))
            }
            for try await part in response.body { await receive(Array(part.readableBytesView)) }
            return Self.reply(response, [])
        } catch {
            throw Self.fault(error)
        }
    }

    package func close() async { try? await client.shutdown() }

    /// No connection came to be.
    private static let noWay = [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, ETIMEDOUT]

    private static func fault(_ error: any Error) -> APIError {
        switch error {
        case is CancellationError: .network(.cancelled)
        case is NIOTooManyBytesError: .decoding
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: tlsFault(error)
        case is NIOConnectionError: .network(.unreachable)
        case let error as IOError where noWay.contains(error.errnoCode): .network(.unreachable)
        case let error as HTTPClientError:
            switch error {
            case .cancelled: .network(.cancelled)
            case .connectTimeout, .readTimeout, .deadlineExceeded, .tlsHandshakeTimeout,
                .getConnectionFromPoolTimeout:
                .network(.timeout)
            default: .network(.broken)
            }
        default: .network(.broken)
        }
    }

    /// A connection that broke off during the handshake proves nothing about who is there.
    private static func tlsFault(_ error: any Error) -> APIError {
        switch error {
        case NIOSSLError.uncleanShutdown, NIOSSLError.writeDuringTLSShutdown: .network(.broken)
        default: .loginPage(.certificate)
        }
    }
}

/// The pieces of a body, read as the connection takes them.
private struct PieceBuffers: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        let pieces: BodyPieces
        var number = 0

        mutating func next() async -> ByteBuffer? {
            defer { number += 1 }
            return await pieces.piece(number).map { ByteBuffer(bytes: $0) }
        }
    }

    let pieces: BodyPieces

    func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces) }
}
