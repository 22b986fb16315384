import Foundation
import NIOHTTP1
import ServerBase
import Synchronization
import TourCurl
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

    let place: S3Place
    private let transport: any HTTPTransport

    // One for the process: it opens connections as they are needed, and is never closed.
    private static let common = Result { () throws(TransferError) in
        try makeTransport(idle: ServerLimits.s3IdleTimeout)
    }
    private static let puts = Lanes<String>(
        width: ServerLimits.s3PutsAtOnce, patience: ServerLimits.s3PutPatience,
        cause: "other files are on their way to the S3 service and do not end")

    /// - Parameter transport: nil: the one of the process.
    /// - Throws: `unavailable` where libcurl is not installed.
    init(place: S3Place, transport: (any HTTPTransport)? = nil) throws(Failure) {
        self.place = place
        do throws(TransferError) {
            // Not by `??`: the compiler's optimiser loses the type of what its right side throws.
            if let transport { self.transport = transport } else { self.transport = try Self.common.get() }
        } catch {
            throw Failure(error, settingUp: "--blobs s3://\(place.bucket)")
        }
    }

    /// Only the service that was named may answer: no redirection leads elsewhere.
    /// - Parameter idle: how long the service may neither send nor accept a byte.
    static func makeTransport(idle: Duration) throws(TransferError) -> CurlTransport {
        try CurlTransport(
            limits: TransferLimits(
                connect: ServerLimits.s3ConnectTimeout, silence: idle, connectionsMax: ServerLimits.s3ConnectionsMax))
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
        var request = OutgoingRequest(
            method: method, address: place.endpoint + path + (text.isEmpty ? "" : "?" + text))
        for (name, value) in signed { request.headers.add(name: name, value: value) }
        request.headers.add(
            name: "authorization",
            value: signature.authorization(
                region: place.region, accessKey: place.accessKey, secretKey: place.secretKey))
        request.headTimeout = ServerLimits.s3Timeout
        request.answerMax = bytesMax
        var unread: FilePieces?
        switch body {
        case .bytes(let bytes): request.body = bytes
        case .file(let file, let size, _):
            request.headTimeout = ServerLimits.s3PutTimeout
            let pieces = FilePieces(file: file, size: size)
            request.pieces = BodyPieces(length: size) { await pieces.piece($0) }
            unread = pieces
        }
        do throws(TransferError) {
            return try await transport.send(request)
        } catch {
            // The file itself, not the way to the service.
            if let failure = unread?.failure { throw failure }
            throw away("it is out of reach: \(error)")
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
private final class FilePieces: Sendable {
    private let file: BlobFile
    private let size: Int64
    private let failed = Mutex<Failure?>(nil)

    init(file: BlobFile, size: Int64) {
        self.file = file
        self.size = size
    }

    /// Why the file could not be read; nil: it could.
    var failure: Failure? { failed.withLock { $0 } }

    /// By number from 0; nil after the last one, and where the file cannot be read, which ends the request.
    func piece(_ number: Int) async -> [UInt8]? {
        let offset = Int64(number) * Int64(ServerLimits.blobPieceBytes)
        let count = Int(min(Int64(ServerLimits.blobPieceBytes), size - offset))
        guard count > 0 else { return nil }
        do throws(Failure) {
            let piece = try await BlobFile.onDisk { [file] () throws(Failure) in
                try file.read(at: offset, count: count)
            }
            guard piece.count == count else { throw Failure(.unavailable, cause: "the file of a blob is cut off") }
            return piece
        } catch {
            failed.withLock { $0 = error }
            return nil
        }
    }
}
