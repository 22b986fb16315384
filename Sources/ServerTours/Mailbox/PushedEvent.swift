import TourModel
import TourWire

/// An event whose bytes are complete and whose signature is not checked yet.
struct PushedEvent: Sendable {
    let header: EventHeader
    let id: EventID
    let bytes: [UInt8]

    var event: Event { Event(header: header, id: id, bytes: bytes) }
}

/// Why the server rejects an event of a push.
/// Source: `Protocol/09-mailbox.md`, "POST /messages/sync".
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

    /// Whether the event may be accepted later.
    var mayComeAgain: Bool {
        switch self {
        case .unknownAuthor, .missingPrevious, .quota: true
        default: false
        }
    }
}
