import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import TourModel

/// Requests to one bucket of an S3-compatible service. Each asks for the same whenever it is sent, so one that a broken
/// connection has cut is sent once more.
struct S3Service: Sendable {
    /// What a request carries.
    enum Body: Sendable {
        case bytes([UInt8])
        /// A whole file, its size and its SHA-256 in hexadecimal digits.
        case file(BlobFile, Int64, hash: String)
    }

    /// What the service answered.
    struct Reply: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]
    }

    let place: S3Place
    private let client: HTTPClient

    // One for the process: it opens connections as they are needed, and is never shut down.
    private static let common = makeClient(idle: ServerLimits.s3IdleTimeout)
    private static let puts = Lanes<String>(
        width: ServerLimits.s3PutsAtOnce, patience: ServerLimits.s3PutPatience,
        cause: "other files are on their way to the S3 service and do not end")

    /// - Parameter client: nil: the one of the process.
    init(place: S3Place, client: HTTPClient? = nil) {
        self.place = place
        self.client = client ?? Self.common
    }

    /// Only the service that was named may answer, so no redirection leads elsewhere.
    /// - Parameter idle: how long an answer that has begun may pause.
    static func makeClient(idle: Duration) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        // Whoever asked is told at once that the service is away.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = ServerLimits.s3ConnectionsMax
        configuration.timeout.connect = .init(ServerLimits.s3ConnectTimeout)
        // The timeout of a request ends with the head of its answer.
        configuration.timeout.read = .init(idle)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Stores an object. A few are stored at once, so that slow ones leave connections to those who read.
    /// - Throws: `unavailable`.
    func put(_ stored: String, _ body: Body) async throws(Failure) {
        _ = try await Self.puts.run(place.host) { () async throws(Failure) in try await send(.PUT, stored, body: body) }
    }

    /// - Parameter stored: where in the bucket; nil: the bucket itself.
    /// - Parameter bytesMax: of the answer's body.
    /// - Throws: `unavailable` for anything but success, 416 of a GET, and 404 of an object that is not put: of a HEAD
    ///   any, of the others what the service itself says.
    func send(
        _ method: HTTPMethod, _ stored: String?, query: [(name: String, value: String)] = [],
        range: Range<Int64>? = nil, body: Body = .bytes([]), bytesMax: Int = ServerLimits.s3AnswerBytesMax
    ) async throws(Failure) -> Reply {
        var triesLeft = ServerLimits.s3TriesMax
        while true {
            triesLeft -= 1
            do throws(Failure) {
                let reply = try await once(method, stored, query, range, body, bytesMax)
                try check(reply, method, stored)
                return reply
            } catch {
                guard error.retryAfter != nil, triesLeft > 0 else { throw error }
            }
        }
    }

    private func once(
        _ method: HTTPMethod, _ stored: String?, _ query: [(name: String, value: String)], _ range: Range<Int64>?,
        _ body: Body, _ bytesMax: Int
    ) async throws(Failure) -> Reply {
        let path = "/\(place.bucket)" + (stored.map { "/\(place.prefix)\($0)" } ?? "")
        let moment: String = Date().formatted(.iso8601)
        let date = moment.replacing("-", with: "").replacing(":", with: "")
        let hash =
            switch body {
            case .bytes(let bytes): S3Signature.hash(bytes)
            case .file(_, _, let hash): hash
            }
        var signed = ["host": place.host, "x-amz-date": date, "x-amz-content-sha256": hash]
        if let range { signed["range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)" }
        let signature = S3Signature(method.rawValue, path, query: query, headers: signed)
        let text = signature.queryText
        var request = HTTPClientRequest(url: place.endpoint + path + (text.isEmpty ? "" : "?" + text))
        request.method = method
        for (name, value) in signed { request.headers.add(name: name, value: value) }
        request.headers.add(
            name: "authorization",
            value: signature.authorization(
                region: place.region, accessKey: place.accessKey, secretKey: place.secretKey))
        var timeout = ServerLimits.s3Timeout
        switch body {
        case .bytes(let bytes) where bytes.isEmpty: break
        case .bytes(let bytes): request.body = HTTPClientRequest.Body.bytes(ByteBuffer(bytes: bytes))
        case .file(let file, let size, _):
            timeout = ServerLimits.s3PutTimeout
            request.body = HTTPClientRequest.Body.stream(FilePieces(file: file, size: size), length: .known(size))
        }
        do {
            let response = try await client.execute(request, timeout: .init(timeout))
            let content = method == .HEAD ? ByteBuffer() : try await response.body.collect(upTo: bytesMax)
            return Reply(
                status: Int(response.status.code), headers: response.headers, body: Array(content.readableBytesView))
        } catch let failure as Failure {
            throw failure
        } catch {
            throw away("it is out of reach: \(type(of: error)) \(error)")
        }
    }

    /// - Throws: `unavailable`: with a time to try again for what passes by itself.
    private func check(_ reply: Reply, _ method: HTTPMethod, _ stored: String?) throws(Failure) {
        let said = String(decoding: reply.body.prefix(4_096), as: UTF8.self)
        let code = said.firstMatch(of: /<Code>([A-Za-z]{1,64})<\/Code>/).map { String($0.1) } ?? ""
        switch reply.status {
        case 200..<300: return
        case 416 where method == .GET: return
        case 404 where code == "NoSuchBucket":
            throw wrong("it has no bucket \(place.bucket): make it, or name another one by --blobs")
        // A proxy that has lost the service says the same, without the code.
        case 404 where stored != nil && (method == .HEAD || method != .PUT && code == "NoSuchKey"): return
        case 401, 403:
            let reason =
                switch code {
                case "RequestTimeTooSkewed": "this machine's clock and the service's differ"
                case "InvalidAccessKeyId", "SignatureDoesNotMatch": "the credentials are wrong"
                default: "the credentials do not open the bucket \(place.bucket)"
                }
            throw wrong("\(reason) (\(reply.status) \(code))")
        // The one of its kind that passes: a connection was slow.
        case 400 where code == "RequestTimeout": throw away("it waited too long for the request")
        case 301, 307, 400: throw wrong("it refuses the request (\(reply.status) \(code)): see region and endpoint")
        default: throw away("it answered \(reply.status) \(code)")
        }
    }

    private func wrong(_ trouble: String) -> Failure {
        Failure(.unavailable, cause: "the S3 service at \(place.host): \(trouble)")
    }

    func away(_ trouble: String) -> Failure {
        Failure(
            .unavailable, retryAfter: ServerLimits.s3RetryAfter, cause: "the S3 service at \(place.host): \(trouble)")
    }
}

/// A file as the body of a request, read as fast as it is sent.
private struct FilePieces: AsyncSequence, Sendable {
    let file: BlobFile
    let size: Int64

    struct AsyncIterator: AsyncIteratorProtocol {
        let file: BlobFile
        let size: Int64
        var offset: Int64 = 0

        mutating func next() async throws -> ByteBuffer? {
            guard offset < size else { return nil }
            let piece = try await file.piece(at: offset, before: size)
            offset += Int64(piece.count)
            return ByteBuffer(bytes: piece)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file, size: size) }
}

extension BlobFile {
    /// The next bytes of a file of this size.
    fileprivate func piece(at offset: Int64, before size: Int64) async throws(Failure) -> [UInt8] {
        let count = Int(min(Int64(ServerLimits.blobPieceBytes), size - offset))
        let piece = try await Self.onDisk { () throws(Failure) in try self.read(at: offset, count: count) }
        guard !piece.isEmpty else { throw Failure(.unavailable, cause: "the file of a blob is cut off") }
        return piece
    }
}
