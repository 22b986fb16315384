import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage
import TourGroup
import TourJSON
import TourModel

/// The route by which clients push events.
/// Contract: `Protocol/09-mailbox.md`, "POST /messages/sync".
struct PushRoutes: Sendable {
    let parts: RequestParts
    let rosters: TourRosters

    var routes: [Route] {
        [
            Route(
                .post, "/messages/sync", access: .member, body: .json(bytesMax: ServerLimits.pushBodyMax),
                keepsAnswers: false, handler: push)
        ]
    }

    private func push(_ call: Call) async throws(Failure) -> Answer {
        let entries = try PushBody(call.body).entries
        let rosters = rosters
        let caller = try await call.caller(in: try Self.tour(of: entries, call), rosters)
        let tourID = caller.tour.id
        let events = entries.map { entry in Result { () throws(PushFault) in try entry.event(of: tourID) } }
        let check = SignatureCheck(events.map { try? $0.get() }, caller.known.group)
        let authors = Set(events.compactMap { try? $0.get().header.author })
        let hasRoom = caller.tour.bytes < ServerLimits.tourBytesMax
        let news = hasRoom ? check.controls(of: events, tourID) : ControlNews()
        let (storage, isGrowing) = (parts.storage, !news.isEmpty)
        let (verdicts, heads) = try await rosters.settle(tourID, from: caller.known, isGrowing: isGrowing) {
            known throws(Failure) in
            guard let known else { throw Failure(.notFound) }
            let grown = isGrowing ? await rosters.grown(known, by: news) : nil
            let (verdicts, heads, now) = try await storage.write { sql throws(Failure) in
                guard let tour = try TourRows(sql: sql).tour(tourID) else { throw Failure(.notFound) }
                try ControlRows(sql: sql).check(known, of: tour)
                var delivery = Delivery(tour: tour, known: known, sql: sql, now: call.now)
                let verdicts = try delivery.accept(events, check, grown)
                return (verdicts, try delivery.heads(of: authors), delivery.known)
            }
            rosters.keep(now)
            return (verdicts, heads)
        }
        let answer = PushAnswer.json(entries, verdicts, heads: heads, now: call.now)
        return Answer(.ok, content: .bytes(answer, type: "application/json"))
    }

    /// The tour of a push: a member's token names it; for an account, which may be in several, the first entry does.
    private static func tour(of entries: [PushedEntry], _ call: Call) throws(Failure) -> String {
        if let member = call.member { return member.tour.hex }
        guard let tour = entries.first?.groupID else { throw .invalid("messages[0].groupId") }
        return tour
    }
}

/// The answer to a push: each entry is in one of the two lists.
enum PushAnswer {
    /// Writes bytes directly: a push may have a thousand entries.
    /// - Parameter heads: the stored head of each author of the request.
    static func json(
        _ entries: [PushedEntry], _ verdicts: [Delivery.Verdict], heads: [String: UInt64], now: Int64
    ) -> [UInt8] {
        var synced = [UInt8]()
        var rejected = [UInt8]()
        synced.reserveCapacity(entries.count * 128)
        for (entry, verdict) in zip(entries, verdicts) {
            switch verdict {
            case .stored: add(entry, to: &synced) { $0.text("status", "stored") }
            case .duplicate: add(entry, to: &synced) { $0.text("status", "duplicate") }
            case .refused(let fault):
                add(entry, to: &rejected) {
                    $0.text("code", fault.rawValue)
                    $0.flag("retry", fault.mayComeAgain)
                }
            }
        }
        let pairs = heads.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        let time = JSONForm.text(seconds: now / 1_000_000) ?? ""
        var answer = Array(#"{"syncedMessages":["#.utf8)
        answer += synced
        answer += #"],"rejectedMessages":["#.utf8
        answer += rejected
        answer += #"],"syncTime":"\#(time)","heads":{\#(pairs.joined(separator: ","))}}"#.utf8
        return answer
    }

    private static func add(
        _ entry: PushedEntry, to list: inout [UInt8], _ write: (inout JSONObjectWriter) -> Void
    ) {
        if !list.isEmpty { list.append(UInt8(ascii: ",")) }
        JSONObjectWriter.append(to: &list) { object in
            object.text("localMessageId", entry.localID)
            write(&object)
        }
    }
}
