import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// What a handler says.
package struct Answer: Sendable {
    package enum Content: Sendable {
        case none
        case bytes([UInt8], type: String)
        /// A part of a file; bytes of any kind unless the headers say of which.
        case file(BlobFile, Range<Int64>)
        /// Server-sent events, for as long as the writer goes on.
        case events(@Sendable (inout EventWriter) async throws -> Void)
        /// JSON that is written piece by piece, so that it never is in memory as a whole.
        case pieces(@Sendable (inout PieceWriter) async throws -> Void)
        /// A login: its access token is signed when it is sent, so that the same session can be told of again.
        case session(SessionTicket)
    }

    package let status: HTTPResponse.Status
    package let content: Content
    /// Beside the content's type.
    package var headers: HTTPFields
    /// Whether it was kept for the request's Idempotency-Key already.
    var isKept = false

    package init(_ status: HTTPResponse.Status, content: Content = .none, headers: HTTPFields = [:]) {
        self.status = status
        self.content = content
        self.headers = headers
    }

    /// - Throws: `internal` for a value that has no JSON: a number that is none.
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

    package static let noContent = Answer(.noContent)

    var response: Response {
        var headers = headers
        switch content {
        // A login has been given its tokens before.
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
            headers[.contentType] = "application/json"
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
        /// Behind `removed`: the control events that say so.
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
