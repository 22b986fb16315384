import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServerBase
import ServerStorage
import TourGzip

/// The answer of a handler.
package struct Answer: Sendable {
    /// The body of an answer.
    package enum Content: Sendable {
        case none
        case bytes([UInt8], type: String)
        /// A part of a file, as `application/octet-stream` unless the headers name another type.
        case file(any StoredBytes, Range<Int64>)
        /// Server-sent events, until the writer returns.
        case events(@Sendable (inout EventWriter) async throws -> Void)
        /// Content that is written piece by piece, so that it is never in memory as a whole; JSON unless the headers
        /// name another type.
        case pieces(@Sendable (inout PieceWriter) async throws -> Void)
        /// A login. Its access token is signed only when the answer is sent, so that a repeated request gets the same
        /// session.
        case session(SessionTicket)
    }

    /// The status of the response.
    package let status: HTTPResponse.Status
    /// The body of the response.
    package let content: Content
    /// The headers, except those that the content implies.
    package var headers: HTTPFields
    /// Whether the answer is already stored under the request's Idempotency-Key.
    var isKept = false

    /// An answer; without a body unless content is passed.
    package init(_ status: HTTPResponse.Status, content: Content = .none, headers: HTTPFields = [:]) {
        self.status = status
        self.content = content
        self.headers = headers
    }

    /// An answer with a JSON body.
    /// - Throws: `internal` for a value without a JSON form, such as a number that is not finite.
    package static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok
    ) throws(Failure) -> Answer {
        do {
            return Answer(
                status, content: .bytes(Array(try JSONForm.encoder.encode(value)), type: "application/json"))
        } catch {
            throw Failure(.internalError, cause: "an answer has no JSON")
        }
    }

    /// An answer whose body is JSON already.
    package static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Answer {
        Answer(status, content: .bytes(Array(text.utf8), type: "application/json"))
    }

    /// 204, without a body.
    package static let noContent = Answer(.noContent)

    /// Smaller bodies go out as they are: with the headers they fit into one packet anyway.
    private static let packedFrom = 1024

    /// The body and the headers as they are sent.
    /// - Parameter takesGzip: whether the client accepts gzip. Tokens and answers with an entity tag, which names these
    ///   very bytes, go out as they are, and files are packed already. Source: RFC 9110, sections 8.4 and 8.8.3.
    package func response(takesGzip: Bool) -> Response {
        guard case .bytes(let bytes, let type) = content, headers[.eTag] == nil, bytes.count >= Self.packedFrom,
            ["application/json", "application/yaml"].contains(type)
        else { return response }
        var plain = self
        plain.headers[.vary] = "Accept-Encoding"
        guard takesGzip, let packed = Gzip.compress(ByteBuffer(bytes: bytes), effort: .least) else {
            return plain.response
        }
        var headers = plain.headers
        headers[.contentType] = type
        headers[.contentEncoding] = "gzip"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: packed))
    }

    var response: Response {
        var headers = headers
        switch content {
        // The pipeline has replaced a login by its tokens before.
        case .none, .session: return Response(status: status, headers: headers)
        case .bytes(let bytes, let type):
            headers[.contentType] = type
            return Response(
                status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        case .file(let file, let range):
            headers[.contentType] = headers[.contentType] ?? "application/octet-stream"
            let body = ResponseBody(contentLength: Int(range.count)) { writer in
                try await file.read(range) { try await writer.write(ByteBuffer(bytes: $0)) }
                try await writer.finish(nil)
            }
            return Response(status: status, headers: headers, body: body)
        case .pieces(let write):
            headers[.contentType] = headers[.contentType] ?? "application/json"
            let body = ResponseBody { writer in
                var pieces = PieceWriter(writer)
                try await write(&pieces)
                try await pieces.finish()
            }
            return Response(status: status, headers: headers, body: body)
        case .events(let write):
            headers[.contentType] = "text/event-stream"
            let body = ResponseBody { writer in
                var events = EventWriter(writer)
                try await write(&events)
                try await events.finish()
            }
            return Response(status: status, headers: headers, body: body)
        }
    }
}

/// `{"error":{"code":"…","message":"…","detail":"…"}}`.
struct FailureBody: Encodable {
    struct Words: Encodable {
        var code: String
        var message: String
        var detail: String?
        /// With `removed`: the control events that ended the membership.
        var controls: [Data]?
    }
    var error: Words

    init(_ failure: Failure, in language: Language) {
        error = Words(
            code: failure.code.rawValue,
            message: FailureText.text(for: failure.code, in: language, field: failure.field), detail: failure.field,
            controls: failure.evidence.isEmpty ? nil : failure.evidence.map { Data($0) })
    }
}

extension Failure {
    func response(in language: Language) -> Response {
        let body = (try? Answer.json(FailureBody(self, in: language), status: code.status)) ?? Answer(code.status)
        var response = body.response
        for field in headers { response.headers[field.name] = field.value }
        response.headers[.contentLanguage] = language.rawValue
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        if code.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        if !allowed.isEmpty {
            let methods = allowed.map(\.rawValue) + (allowed.contains(.get) ? ["HEAD"] : [])
            response.headers[.allow] = methods.sorted().joined(separator: ", ")
        }
        return response
    }
}
