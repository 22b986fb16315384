import Foundation
import TourCrypto
import TourModel
import TourWire

/// One entry of a push, as its client wrote it. What of it cannot be read is the entry's own fault and nobody else's.
struct PushedEntry: Sendable {
    /// The whole body, in which the texts stand.
    private let body: [UInt8]
    private let localID: JSONText
    private let tour: JSONText?
    private let sender: JSONText?
    private let sentAt: JSONText?
    private let sealed: JSONText?
    private let isReadable: Bool

    /// Reads an object.
    /// - Returns: nil when `localId` is no text, or longer than `ServerLimits.localIDBytesMax`.
    /// - Throws: `badJSON`.
    init?(_ scanner: inout JSONScanner) throws(Failure) {
        var localID: JSONText?
        var (tour, sender, sentAt, sealed): (JSONText?, JSONText?, JSONText?, JSONText?)
        var isReadable = true
        try scanner.object { name, scanner throws(Failure) in
            switch String(decoding: name.content(in: scanner.bytes), as: UTF8.self) {
            case "localId": localID = try Self.text(&scanner, &isReadable)
            case "groupId": tour = try Self.text(&scanner, &isReadable)
            case "senderId": sender = try Self.text(&scanner, &isReadable)
            case "sentAt": sentAt = try Self.text(&scanner, &isReadable)
            case "sealed": sealed = try Self.text(&scanner, &isReadable)
            default: try scanner.skip()
            }
        }
        guard let localID, localID.content(in: scanner.bytes).count <= ServerLimits.localIDBytesMax else { return nil }
        body = scanner.bytes
        self.localID = localID
        self.tour = tour
        self.sender = sender
        self.sentAt = sentAt
        self.sealed = sealed
        self.isReadable = isReadable
    }

    /// A text, or nothing where null stands.
    private static func text(
        _ scanner: inout JSONScanner, _ isReadable: inout Bool
    ) throws(Failure) -> JSONText? {
        switch try scanner.next() {
        case .string: return try scanner.string()
        case .null: break
        case .object, .array, .other: isReadable = false
        }
        try scanner.skip()
        return nil
    }

    /// As it stands in the body, escapes and all: so it stands in the answer.
    var localIDAsWritten: ArraySlice<UInt8> { body[localID.range] }

    var groupID: String? { tour.map { String(decoding: $0.content(in: body), as: UTF8.self) } }

    /// The event, when everything that stands beside it agrees with it.
    /// - Throws: `PushFault`.
    func event(of tour: TourID) throws(PushFault) -> PushedEvent {
        guard isReadable, let sealed, let data = Data(base64Encoded: Data(sealed.content(in: body))) else {
            throw .eventMalformed
        }
        let bytes = Array(data)
        let raw: RawEvent
        do {
            raw = try RawEvent(decoding: bytes)
        } catch {
            throw PushFault(error)
        }
        let id = EventCrypto.id(headerBytes: bytes[..<EventHeader.length], signature: raw.signature)
        guard reads(localID, id.hex), reads(sender, raw.header.author.hex), reads(self.tour, tour.hex),
            hasTime(of: raw.header)
        else { throw .eventMalformed }
        // Only the genesis names no tour, and it is here.
        guard raw.header.tour == tour || TourID(genesis: bytes) == tour else { throw .badSignature }
        guard EventCrypto.bodyHash(raw.body) == raw.header.bodyHash else { throw .badSignature }
        return PushedEvent(header: raw.header, id: id, bytes: bytes)
    }

    /// Whether a text that is there says this.
    private func reads(_ text: JSONText?, _ value: String) -> Bool {
        text.map { $0.content(in: body).elementsEqual(value.utf8) } ?? true
    }

    private func hasTime(of header: EventHeader) -> Bool {
        guard let sentAt else { return true }
        let seconds = header.clock.milliseconds / 1_000
        // As nodes write it: most need no calendar.
        if let text = JSONForm.text(seconds: seconds), reads(sentAt, text) { return true }
        guard let date = JSONForm.date(String(decoding: sentAt.content(in: body), as: UTF8.self)) else { return false }
        return Int64(date.timeIntervalSince1970.rounded(.down)) == seconds
    }
}
