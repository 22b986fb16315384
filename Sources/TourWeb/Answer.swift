import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TourModel
import TourNode

/// Turns values and faults into responses.
enum Answer {
    private struct ErrorBody: Encodable {
        struct Detail: Encodable {
            var code: String
            var message: String
        }
        var error: Detail
    }

    private static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return encoder
    }

    static func json(_ value: some Encodable) throws -> Response {
        json(bytes: try encoder().encode(value))
    }

    /// One line of a stream, without its end.
    static func encoded(_ value: some Encodable) throws -> Data { try encoder().encode(value) }

    static func json(bytes: some Sequence<UInt8>) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    static func stream(
        _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/x-ndjson"],
            body: ResponseBody { writer in
                try await write(&writer)
                try await writer.finish(nil)
            })
    }

    static func failure(_ error: any Error) -> Response {
        let (code, message) = words(of: error)
        let body = ErrorBody(error: ErrorBody.Detail(code: code, message: message))
        let data = (try? encoder().encode(body)) ?? Data()
        return Response(
            status: status(of: error, code: code), headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// 4xx: another request would do; 5xx: this one was sound.
    private static func status(of error: any Error, code: String) -> HTTPResponse.Status {
        switch code {
        case "no-tour", "unknown-tour", "unknown-message", "unknown-invite", "unknown-member", "not-found",
            "no-archive", "blob-missing", "unknown-item", "unknown-file", "no-files", "unknown-record", "unknown-stop":
            .notFound
        case "not-allowed", "not-yours", "yourself": .forbidden
        case "ambiguous", "already-member", "not-active", "creator-stays", "has-successor", "has-archive":
            .conflict
        case "recovering", "not-recovering", "key-forked", "key-retired", "removed": .conflict
        case "not-complete", "not-delivered", "item-changed", "stop-there", "other-account": .conflict
        case "unchanged", "not-shared": .conflict
        case "bad-path": .badRequest
        case "locked", "not-locked", "no-passphrase": HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
        case "passphrase-needed", "passphrase-wrong": .forbidden
        case "busy": .serviceUnavailable
        case "disk-full", "share-full", "no-room-tour", "no-room-author", "no-room-disk", "no-room-notebook":
            HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        case "internal": .internalServerError
        default: (error as? any Fault)?.scope == .node ? .internalServerError : .badRequest
        }
    }

    /// One line of a stream that is no message.
    static func line(note: TourNote) throws -> Data { try encoder().encode(["note": note]) }

    /// One line of a stream that says why something was refused; `error` stands first.
    static func line(_ error: any Error) -> Data {
        let (code, message) = words(of: error)
        return (try? encoder().encode(ErrorBody(error: ErrorBody.Detail(code: code, message: message)))) ?? Data()
    }

    private static func words(of error: any Error) -> (code: String, message: String) {
        if let fault = error as? any Fault { return (fault.code, fault.description) }
        if let error = error as? any HTTPResponseError {
            return error.status == .notFound
                ? ("not-found", "There is no such address.") : ("bad-request", "The request is not understood.")
        }
        if error is DecodingError || error is JSONError {
            return ("bad-request", "The request's JSON is not what this address takes.")
        }
        return ("internal", "The node failed at this request.")
    }
}

/// Every error that leaves a handler becomes the API's error shape.
struct FaultMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch { return Answer.failure(error) }
    }
}
