import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TourAPI
import TourJSON
import TourModel
import TourNode
import TourNodeWords
import TourPresentation
import TourWords

/// Turns values and faults into responses, worded for the request's reader.
enum Answer {
    private static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return encoder
    }

    static func json(_ value: some Encodable) throws -> Response {
        json(bytes: try encoder().encode(value))
    }

    /// Something was done, of which there is nothing to say.
    static var done: Response { json(bytes: "{}".utf8) }

    /// One line of a stream, without its line break.
    static func encoded(_ value: some Encodable) throws -> Data { try encoder().encode(value) }

    static func json(bytes: some Sequence<UInt8>) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A file to be saved.
    static func pdf(_ bytes: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/pdf", .contentDisposition: "attachment"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    static func stream(
        mediaType: String = "application/x-ndjson",
        _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        Response(
            status: .ok, headers: [.contentType: mediaType],
            body: ResponseBody { writer in
                try await write(&writer)
                try await writer.finish(nil)
            })
    }

    static func failure(_ error: any Error) -> Response {
        let detail = reason(error)
        let data = (try? encoder().encode(Refusal(error: detail))) ?? Data()
        return Response(
            status: status(of: error, code: detail.code), headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// 4xx: another request may succeed; 5xx: the request was sound.
    private static func status(of error: any Error, code: String) -> HTTPResponse.Status {
        switch code {
        case "no-tour", "unknown-tour", "unknown-message", "unknown-alarm", "no-roll", "unknown-invite",
            "unknown-member", "not-found", "no-archive", "blob-missing", "unknown-item", "unknown-file", "no-files",
            "unknown-record", "unknown-stop",
            "unknown-ticket", "unknown-upload", "no-page",
            "organisation-unknown", "organisation-not-invited", "organisation-tour":
            .notFound
        case "not-allowed", "not-yours", "yourself", "hotspot-refused", "may-not-give-seats",
            "organisation-operator", "organisation-admins":
            .forbidden
        case "ambiguous", "already-member", "not-active", "creator-stays", "has-successor", "has-archive":
            .conflict
        case "recovering", "not-recovering", "key-forked", "key-retired", "removed": .conflict
        case "not-complete", "not-delivered", "item-changed", "stop-there", "other-account": .conflict
        case "unchanged", "not-shared", "seats-off": .conflict
        case "organisation-last-admin", "organisation-shared", "organisation-not-proven": .conflict
        case "bad-path": .badRequest
        case "unauthorized": .unauthorized
        case "wrong-origin": .forbidden
        case "wrong-host": .misdirectedRequest
        case "locked", "not-locked", "no-passphrase": HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
        case "passphrase-needed", "passphrase-wrong": .forbidden
        case "busy": .serviceUnavailable
        case "disk-full", "share-full", "no-room-tour", "no-room-author", "no-room-disk", "no-room-notebook",
            "organisation-full":
            HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        case "internal": .internalServerError
        default: (error as? any Fault)?.scope == .node ? .internalServerError : .badRequest
        }
    }

    /// The body of a refusal outside a route, worded for the request's reader.
    static func refusal(_ error: WebError, for reader: Reader) -> Data {
        Reader.$current.withValue(reader) { line(error) }
    }

    /// A line of a stream with a note instead of a message.
    static func line(note: TourNote) throws -> Data { try encoder().encode(["note": note.answer]) }

    /// A line of a stream with the reason for a refusal; `error` comes first.
    static func line(_ error: any Error) -> Data {
        (try? encoder().encode(Refusal(error: reason(error)))) ?? Data()
    }

    private static func reason(_ error: any Error) -> Refusal.Reason {
        if let fault = error as? any Fault {
            let surface = Reader.current.surface
            return Refusal.Reason(
                code: fault.code, message: fault.words(on: surface).spoken, advice: fault.advice(on: surface)?.spoken)
        }
        let (code, message) =
            switch error {
            case let error as any HTTPResponseError where error.status == .notFound:
                ("not-found", Phrase("There is no such address."))
            case is any HTTPResponseError: ("bad-request", Phrase("The request is not understood."))
            case is DecodingError, is JSONError:
                ("bad-request", Phrase("The request's JSON is not what this address takes."))
            default: ("internal", Phrase("The node failed at this request."))
            }
        return Refusal.Reason(code: code, message: message.spoken, advice: nil)
    }
}

/// Turns every error that leaves a handler into the API's error shape, worded for the request's reader.
struct FaultMiddleware<Context: RequestContext>: RouterMiddleware {
    let surfaces: ClientSurfaces

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let reader = surfaces.reader(of: request.headers)
        return await reader.answered {
            do {
                var response = try await next(request, context)
                response.body = response.body.written(for: reader)
                return response
            } catch {
                return Answer.failure(error)
            }
        }
    }
}

extension ResponseBody {
    /// A stream is written after its handler has returned, so its writer too has to know the reader. A body of known
    /// length was encoded before.
    fileprivate func written(for reader: Reader) -> ResponseBody {
        guard contentLength == nil else { return self }
        let body = self
        return ResponseBody { writer in try await reader.answered { try await body.write(writer) } }
    }
}
