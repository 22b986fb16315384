import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage
import TourGroup
import TourModel
import TourWire

/// Routes by which clients pull events and learn which ones the server has.
/// Contract: `Protocol/09-mailbox.md`.
struct PullRoutes: Sendable {
    let parts: RequestParts
    let rosters: TourRosters

    var routes: [Route] {
        [
            Route(.get, "/groups/{id}/frontier", access: .member, handler: frontier),
            Route(.get, "/groups/{id}/controls", access: .member, handler: controls),
            Route(.get, "/groups/{id}/events", access: .member, handler: events),
        ]
    }

    private func frontier(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Encodable {
            let heads: [String: UInt64]
            let controls: Int64
            let syncTime: Date
        }
        let caller = try await caller(call)
        let mark = "\"\(caller.tour.revision)-\(caller.known.place)\""
        if call.head.headerFields[.ifNoneMatch] == mark {
            return Answer(.notModified, headers: [.eTag: mark, .date: HTTPDate.text(microseconds: call.now)])
        }
        let heads = try await parts.storage.read { sql throws(Failure) in
            try EventRows(sql: sql).heads(for: caller)
        }
        var answer = try Answer.json(
            Body(
                heads: Dictionary(heads.map { ($0.key.hex, $0.value) }) { first, _ in first },
                controls: caller.known.place, syncTime: Date(microseconds: call.now)))
        answer.headers[.eTag] = mark
        return answer
    }

    private func controls(_ call: Call) async throws(Failure) -> Answer {
        let caller = try await caller(call)
        let text = call.query("after") ?? "0"
        guard let after = UInt64(text), after <= UInt64(Int64.max) else { throw .invalid("after") }
        let page = try await parts.storage.read { sql throws(Failure) in
            try EventRows(sql: sql).controls(for: caller, after: Int64(after))
        }
        guard !call.wantsProtobuf else { return Answer(.ok, content: .bytes(page.encode(), type: Call.protobuf)) }
        struct Body: Encodable {
            let events: [Data]
            let next: UInt64
            let more: Bool
        }
        return try .json(Body(events: page.events.map { Data($0) }, next: page.next, more: page.more))
    }

    private func events(_ call: Call) async throws(Failure) -> Answer {
        let caller = try await caller(call)
        let wanted = try call.query("after").map { text throws(Failure) in try EventRange.list(text) }
        let page = try await parts.storage.read { sql throws(Failure) in
            try EventRows(sql: sql).events(for: caller, after: wanted)
        }
        guard call.wantsProtobuf else {
            return try .json(EventsBody(page.events, more: page.more, tour: caller.tour.id))
        }
        let logs = page.events.chunked { $0.header.author == $1.header.author }
        let runs = logs.flatMap { Run.runs(of: $0, hops: 0, pushed: false) }
        return Answer(
            .ok, content: .bytes(MailboxEvents(runs: runs, more: page.more).encode(), type: Call.protobuf))
    }

    private func caller(_ call: Call) async throws(Failure) -> TourCaller {
        try await call.caller(in: call.parameters["id"] ?? "", rosters)
    }
}

/// Sealed events for clients without the schema: the fields that a push accepts, and the sequence.
struct EventsBody: Encodable {
    private struct Row: Encodable {
        let localId: String
        let groupId: String
        let senderId: String
        let sequence: UInt64
        let sentAt: Date
        let sealed: Data
    }

    private let messages: [Row]
    private let more: Bool

    init(_ events: [Event], more: Bool, tour: TourID) {
        messages = events.map { event in
            Row(
                localId: event.id.hex, groupId: tour.hex, senderId: event.header.author.hex,
                sequence: event.header.sequence, sentAt: Date(microseconds: event.header.clock.milliseconds * 1_000),
                sealed: Data(event.bytes))
        }
        self.more = more
    }
}

extension Array {
    /// The elements in chunks, cut wherever two neighbours do not belong together.
    fileprivate func chunked(while belong: (Element, Element) -> Bool) -> [[Element]] {
        reduce(into: []) { chunks, element in
            if let last = chunks.last?.last, belong(last, element) {
                chunks[chunks.count - 1].append(element)
            } else {
                chunks.append([element])
            }
        }
    }
}
