import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// What a handler says.
package struct Answer: Sendable {
    package enum Content: Sendable {
        case none
        case bytes([UInt8], type: String)
    }

    package let status: HTTPResponse.Status
    package let content: Content

    package init(_ status: HTTPResponse.Status, content: Content = .none) {
        self.status = status
        self.content = content
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
        switch content {
        case .none: Response(status: status)
        case .bytes(let bytes, let type):
            Response(
                status: status, headers: [.contentType: type],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
    }
}

/// `{"error":{"code":"…","message":"…","detail":"…"}}`.
struct FailureBody: Encodable {
    struct Words: Encodable {
        var code: String
        var message: String
        var detail: String?
    }
    var error: Words

    init(_ failure: Failure, in language: Language) {
        error = Words(
            code: failure.code.rawValue,
            message: FailureText.text(for: failure.code, in: language, field: failure.field), detail: failure.field)
    }
}

extension Failure {
    func response(in language: Language) -> Response {
        let body = (try? Answer.json(FailureBody(self, in: language), status: code.status)) ?? Answer(code.status)
        var response = body.response
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
