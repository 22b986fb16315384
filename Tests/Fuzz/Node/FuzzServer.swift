import Foundation
import FuzzSupport
import NIOHTTP1
import Synchronization
import TourCurl
import TourMailbox
import TourModel
import TourNotebook
import TourWire

/// Answers by the program, and ends the network when that is over.
final class FuzzServer: HTTPTransport {
    private struct State {
        var program: ByteProgram
        var left: Int
    }

    private let state: Mutex<State>

    init(_ program: ByteProgram, answersMax: Int) { state = Mutex(State(program: program, left: answersMax)) }

    var isAtEnd: Bool { state.withLock { $0.program.isAtEnd || $0.left == 0 } }

    func send(_ outgoing: OutgoingRequest) async throws(TransferError) -> Reply {
        let reply: Reply? = state.withLock { state in
            guard !state.program.isAtEnd, state.left > 0 else { return nil }
            state.left -= 1
            return Self.reply(to: outgoing, &state.program)
        }
        guard let reply else { throw TransferError(.cancelled) }
        return reply
    }

    func follow(
        _ outgoing: OutgoingRequest, receive: @Sendable ([UInt8]) async -> Void
    ) async throws(TransferError) -> Reply {
        let reply = try await send(outgoing)
        await receive(reply.body)
        return Reply(status: reply.status, headers: reply.headers, body: [])
    }

    func close() async {}

    private static let statuses = [200, 200, 200, 304, 400, 401, 404, 409, 413, 429, 500, 503, 301, 0, 999]
    private static let types = ["application/json", "application/x-protobuf", "text/event-stream", "text/html"]
    private static let codes = [
        "unknown-group", "unknown-member", "removed", "no-archive", "in-progress", "invalid-token", "bad-proof", "x",
    ]

    /// Most times one that fits what was asked for.
    private static func reply(to outgoing: OutgoingRequest, _ program: inout ByteProgram) -> Reply {
        let choice = program.byte()
        var headers = HTTPHeaders()
        if choice < 200 {
            let (type, body) = fitting(outgoing, &program)
            headers.add(name: "Content-Type", value: type)
            headers.add(name: "ETag", value: "\"1\"")
            return Reply(status: 200, headers: headers, body: body)
        }
        let status = statuses[program.number(below: statuses.count)]
        headers.add(name: "Content-Type", value: types[program.number(below: types.count)])
        headers.add(name: "Retry-After", value: number(&program))
        headers.add(name: "Upload-Offset", value: number(&program))
        if choice < 230 {
            let code = codes[program.number(below: codes.count)]
            let body = #"{"error":{"code":"\#(code)","message":"No","controls":["\#(base64(program.chunk()))"]}}"#
            return Reply(status: status, headers: headers, body: Array(body.utf8))
        }
        return Reply(status: status, headers: headers, body: program.chunk())
    }

    private static func fitting(_ outgoing: OutgoingRequest, _ program: inout ByteProgram) -> (
        type: String, body: [UInt8]
    ) {
        let path = outgoing.address.dropFirst("https://mailbox.example".count).prefix { $0 != "?" }
        func json(_ text: String) -> (String, [UInt8]) { ("application/json", Array(text.utf8)) }
        switch path.split(separator: "/").last {
        case "healthz": return json(#"{"service":"tour-chat","status":"ok","time":"\#(time(&program))"}"#)
        case "nonce": return json(#"{"nonce":"0123456789abcdef0123"}"#)
        case "member", "login", "refresh":
            return json(#"{"access_token":"a","expires_in":\#(number(&program)),"refresh_token":"r"}"#)
        case "groups": return json(#"{"id":"\#(FuzzTour.tour.hex)"}"#)
        case "frontier":
            return json(
                #"{"heads":\#(heads(&program)),"controls":\#(number(&program)),"syncTime":"\#(time(&program))"}"#)
        case "controls":
            let events = (0..<program.number(below: 4)).map { _ in program.chunk() }
            let page = MailboxControls(events: events, next: program.sequence(), more: program.flag())
            return ("application/x-protobuf", page.encode())
        case "events": return ("application/x-protobuf", events(&program))
        case "live": return ("text/event-stream", Array("data: {\"heads\":\(heads(&program))}\n\n".utf8))
        case "archive":
            return json(#"{"memberId":"\#(author(&program).hex)","isActive":true,"wants":["\#(Bytes32.zero.hex)"]}"#)
        case "sync":
            let (stored, refused) = (event(&program).id.hex, event(&program).id.hex)
            let rejected = program.flag() ? #"{"localMessageId":"\#(refused)","code":"quota","retry":false}"# : ""
            return json(
                """
                {"syncedMessages":[{"localMessageId":"\(stored)","status":"stored"}],
                "rejectedMessages":[\(rejected)],"heads":\(heads(&program)),"syncTime":"\(time(&program))"}
                """)
        case "profile": return json(#"{"id":"\#(id(&program))"}"#)
        case "delta": return json(delta(&program))
        case "upsert": return json(#"{"bookmarks":[\#(item(&program))]}"#)
        default: return json("{}")
        }
    }

    private static func events(_ program: inout ByteProgram) -> [UInt8] {
        let runs = (0..<program.number(below: 3)).map { _ in
            let writer = Writer.all[program.number(below: Writer.all.count)]
            let first = program.number(below: Writer.logLength)
            let log = writer.branches[program.number(below: 2)]
            var run = Run(log[first..<min(first + 1 + program.number(below: 8), log.count)], hops: 0, pushed: false)
            if program.number(below: 4) == 0 { run.first = program.sequence() }
            return run
        }
        return MailboxEvents(runs: runs, more: program.flag()).encode()
    }

    private static func delta(_ program: inout ByteProgram) -> String {
        let items = (0..<program.number(below: 4)).map { _ in item(&program) }.joined(separator: ",")
        let deleted = program.flag() ? #""\#(id(&program))""# : ""
        return """
            {"updated_bookmarks":[\(items)],"updated_notes":[],"deleted_ids":{"bookmarks":[\(deleted)]},
            "current_server_time":"\(time(&program))","has_more":\(program.flag()),
            "rejected":[{"id":"\(id(&program))","message":"No"}]}
            """
    }

    private static func item(_ program: inout ByteProgram) -> String {
        """
        {"id":"\(id(&program))","title":"Tower","url":"geo:\(program.byte()),2","tags":[],"is_read":false,
        "is_favorite":false,"source":"import","image_urls":["/api/v1/files/\(id(&program))"],
        "sync_version":\(number(&program)),"created_at":"\(time(&program))","updated_at":"\(time(&program))"}
        """
    }

    private static func id(_ program: inout ByteProgram) -> String {
        FuzzNotebookPeer.id(program.number(below: 6)).text
    }

    private static func heads(_ program: inout ByteProgram) -> String {
        let heads = (0..<program.number(below: 7)).map { _ in "\"\(author(&program).hex)\":\(number(&program))" }
        return "{\(heads.joined(separator: ","))}"
    }

    /// Most times one that is known.
    private static func author(_ program: inout ByteProgram) -> MemberID {
        let number = program.byte()
        guard number >= 200, let id = MemberID([UInt8](repeating: program.byte(), count: 32)) else {
            return Writer.all[Int(number) % Writer.all.count].id
        }
        return id
    }

    private static func event(_ program: inout ByteProgram) -> Event {
        Writer.all[0].branches[0][program.number(below: Writer.logLength)]
    }

    private static func number(_ program: inout ByteProgram) -> String {
        switch program.number(below: 16) {
        case 0: "-1"
        case 1: "1e400"
        case 2: String(Int64.max)
        case 3: String(UInt64.max)
        case 4: "9223372036854775808"
        case 5: "null"
        default: String(program.sequence())
        }
    }

    private static let times = [
        "2026-05-01T10:00:00Z", "300000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "292277026596-12-04T15:30:08Z", "",
        "9999-12-31T23:59:59.999999Z", "2026-05-01T10:00:00.123456Z", "-0001-01-01T00:00:00Z",
    ]

    private static func time(_ program: inout ByteProgram) -> String { times[program.number(below: 8)] }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
