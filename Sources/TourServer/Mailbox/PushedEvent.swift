import Foundation
import TourCrypto
import TourModel
import TourWire

/// One entry of a push, as its client wrote it. What of it cannot be read is the entry's own fault and nobody else's.
struct PushedEntry: Decodable, Sendable {
    let localId: String
    let groupId: String?
    private let senderId: String?
    private let sentAt: String?
    private let sealed: [UInt8]?
    private let isReadable: Bool

    private enum CodingKeys: CodingKey { case localId, groupId, senderId, sentAt, sealed }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        localId = try container.decode(String.self, forKey: .localId)
        var isReadable = true
        func text(_ key: CodingKeys) -> String? {
            do {
                return try container.decodeIfPresent(String.self, forKey: key)
            } catch {
                isReadable = false
                return nil
            }
        }
        groupId = text(.groupId)
        senderId = text(.senderId)
        sentAt = text(.sentAt)
        sealed = text(.sealed).flatMap { Data(base64Encoded: $0) }.map { Array($0) }
        self.isReadable = isReadable
    }

    /// The event, when everything that stands beside it agrees with it.
    /// - Throws: `PushFault`.
    func event(of tour: TourID) throws(PushFault) -> PushedEvent {
        guard isReadable, let sealed else { throw .eventMalformed }
        let raw: RawEvent
        do {
            raw = try RawEvent(decoding: sealed)
        } catch {
            throw PushFault(error)
        }
        let id = EventCrypto.id(headerBytes: sealed[..<EventHeader.length], signature: raw.signature)
        guard localId == id.hex, senderId.map({ $0 == raw.header.author.hex }) ?? true,
            groupId.map({ $0 == tour.hex }) ?? true, hasTime(of: raw.header)
        else { throw .eventMalformed }
        // Only the genesis names no tour, and it is here.
        guard raw.header.tour == tour || TourID(genesis: sealed) == tour else { throw .badSignature }
        guard EventCrypto.bodyHash(raw.body) == raw.header.bodyHash else { throw .badSignature }
        return PushedEvent(header: raw.header, id: id, bytes: sealed)
    }

    private func hasTime(of header: EventHeader) -> Bool {
        guard let sentAt else { return true }
        guard let date = JSONForm.date(sentAt) else { return false }
        return Int64(date.timeIntervalSince1970.rounded(.down)) == header.clock.milliseconds / 1_000
    }
}

/// An event whose bytes are whole; its signature is still to be checked.
struct PushedEvent: Sendable {
    let header: EventHeader
    let id: EventID
    let bytes: [UInt8]

    var event: Event { Event(header: header, id: id, bytes: bytes) }
}

/// Why an event of a push was not taken. Source: `Protocol/09-mailbox.md`, "POST /messages/sync".
enum PushFault: String, Error, Sendable {
    case unknownAuthor = "unknown-author"
    case missingPrevious = "missing-previous"
    case quota
    case eventTruncated = "event-truncated"
    case eventVersion = "event-version"
    case eventMalformed = "event-malformed"
    case badSignature = "bad-signature"
    case badControlEvent = "bad-control-event"
    case forkedLog = "forked-log"
    case beyondCut = "beyond-cut"

    init(_ error: WireError) {
        switch error {
        case .eventTruncated: self = .eventTruncated
        case .eventVersion: self = .eventVersion
        default: self = .eventMalformed
        }
    }

    /// Whether it may do later.
    var mayComeAgain: Bool {
        switch self {
        case .unknownAuthor, .missingPrevious, .quota: true
        default: false
        }
    }
}
