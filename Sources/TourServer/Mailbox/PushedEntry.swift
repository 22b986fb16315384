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
        // Outer nil: the name has not come yet.
        var (localID, tour, sender): (JSONText??, JSONText??, JSONText??)
        var (sentAt, sealed): (JSONText??, JSONText??)
        var isReadable = true
        try scanner.object { name, scanner throws(Failure) in
            switch String(decoding: name.content(in: scanner.bytes), as: UTF8.self) {
            case "localId": try Self.read(&localID, &scanner, &isReadable)
            case "groupId": try Self.read(&tour, &scanner, &isReadable)
            case "senderId": try Self.read(&sender, &scanner, &isReadable)
            case "sentAt": try Self.read(&sentAt, &scanner, &isReadable)
            case "sealed": try Self.read(&sealed, &scanner, &isReadable)
            default: try scanner.skip()
            }
        }
        guard let localID = localID ?? nil,
            localID.content(in: scanner.bytes).count <= ServerLimits.localIDBytesMax
        else { return nil }
        body = scanner.bytes
        self.localID = localID
        self.tour = tour ?? nil
        self.sender = sender ?? nil
        self.sentAt = sentAt ?? nil
        self.sealed = sealed ?? nil
        self.isReadable = isReadable
    }

    /// A text, or nothing where null stands; whatever comes behind a name for the second time is passed over.
    private static func read(
        _ text: inout JSONText??, _ scanner: inout JSONScanner, _ isReadable: inout Bool
    ) throws(Failure) {
        guard text == nil else { return try scanner.skip() }
        let kind = try scanner.next()
        text = .some(kind == .string ? try scanner.string() : nil)
        guard kind != .string else { return }
        if kind != .null { isReadable = false }
        try scanner.skip()
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
