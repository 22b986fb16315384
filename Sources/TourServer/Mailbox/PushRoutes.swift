import Foundation
import HTTPTypes
import TourGroup
import TourModel

/// Events come in. Contract: `Protocol/09-mailbox.md`, "POST /messages/sync".
struct PushRoutes: Sendable {
    let parts: ServerParts

    var routes: [Route] {
        [
            Route(
                .post, "/messages/sync", access: .seat, body: .json(bytesMax: ServerLimits.pushBodyMax),
                keepsAnswers: false, handler: push)
        ]
    }

    private struct Body: Decodable {
        var messages: [PushedEntry]
    }

    private func push(_ call: Call) async throws(Failure) -> Answer {
        let entries = try call.json(Body.self).messages
        guard entries.count <= Limits.mailboxPushEventsMax else { throw .invalid("messages") }
        for (index, entry) in entries.enumerated() where entry.localId.utf8.count > ServerLimits.localIDBytesMax {
            throw .invalid("messages[\(index)].localId")
        }
        let rosters = parts.rosters
        let seat = try await call.seat(in: try Self.tour(of: entries, call), rosters, parts.storage)
        let tourID = seat.tour.id
        let events = entries.map { entry in Result { () throws(PushFault) in try entry.event(of: tourID) } }
        let check = SignatureCheck(events.map { try? $0.get() }, seat.known.group)
        let authors = Set(events.compactMap { try? $0.get().header.author })
        let (verdicts, heads, known) = try await parts.storage.write { sql throws(Failure) in
            guard let tour = try sql.tour(tourID) else { throw Failure(.notFound) }
            var delivery = Delivery(
                tour: tour, known: try rosters.group(of: tour, in: sql), sql: sql, now: call.now)
            let verdicts = try delivery.take(events, check)
            return (verdicts, try delivery.heads(of: authors), delivery.known)
        }
        rosters.keep(known)
        return try .json(PushAnswer(entries, verdicts, heads: heads, now: call.now))
    }

    /// A member's token names the tour; the account of somebody who is in several says it with the first entry.
    private static func tour(of entries: [PushedEntry], _ call: Call) throws(Failure) -> String {
        if let member = call.member { return member.tour.hex }
        guard let tour = entries.first?.groupId else { throw .invalid("messages[0].groupId") }
        return tour
    }
}

/// What became of a push: each entry stands in one of the lists.
struct PushAnswer: Encodable {
    private struct Synced: Encodable {
        let localMessageId: String
        let status: String
    }
    private struct Rejected: Encodable {
        let localMessageId: String
        let code: String
        let retry: Bool
    }

    private let syncedMessages: [Synced]
    private let rejectedMessages: [Rejected]
    private let syncTime: Date
    /// Of each author of the request, what is held now.
    private let heads: [String: UInt64]

    init(_ entries: [PushedEntry], _ verdicts: [Delivery.Verdict], heads: [String: UInt64], now: Int64) {
        var synced = [Synced]()
        var rejected = [Rejected]()
        for (entry, verdict) in zip(entries, verdicts) {
            switch verdict {
            case .stored: synced.append(Synced(localMessageId: entry.localId, status: "stored"))
            case .duplicate: synced.append(Synced(localMessageId: entry.localId, status: "duplicate"))
            case .refused(let fault):
                rejected.append(
                    Rejected(localMessageId: entry.localId, code: fault.rawValue, retry: fault.mayComeAgain))
            }
        }
        syncedMessages = synced
        rejectedMessages = rejected
        syncTime = Date(microseconds: now)
        self.heads = heads
    }
}
