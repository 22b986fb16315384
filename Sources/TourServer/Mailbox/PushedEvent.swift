import TourModel
import TourWire

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
