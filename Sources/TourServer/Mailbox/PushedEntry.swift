import Foundation
import TourCrypto
import TourModel
import TourWire

/// One entry of a push, as its client wrote it. An unreadable field fails this entry and no other.
struct PushedEntry: Sendable {
    /// The whole body, which the texts point into.
    private let body: [UInt8]
    private let localID: JSONText
    private let tour: JSONText?
    private let sender: JSONText?
    private let sentAt: JSONText?
    private let sealed: JSONText?
    private let isReadable: Bool

    /// Reads an object.
    /// - Returns: nil when `localId` is missing, no text, or longer than `ServerLimits.localIDBytesMax`.
    /// - Throws: `badJSON`.
    init?(_ scanner: inout JSONScanner) throws(Failure) {
        // The outer nil means that the name has not appeared yet.
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

    /// Reads a text; null means none. A name's second value is skipped.
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

    /// The local id with its escapes as the body has them, which the answer repeats.
    var localIDAsWritten: ArraySlice<UInt8> { body[localID.range] }

    var groupID: String? { tour.map { String(decoding: $0.content(in: body), as: UTF8.self) } }

    /// The event, if every other field of the entry agrees with it.
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
        // Only the genesis names no tour: its own hash must be the tour's id.
        guard raw.header.tour == tour || TourID(genesis: bytes) == tour else { throw .badSignature }
        guard EventCrypto.bodyHash(raw.body) == raw.header.bodyHash else { throw .badSignature }
        return PushedEvent(header: raw.header, id: id, bytes: bytes)
    }

    /// Whether the text, if present, equals this value.
    private func reads(_ text: JSONText?, _ value: String) -> Bool {
        text.map { $0.content(in: body).elementsEqual(value.utf8) } ?? true
    }

    private func hasTime(of header: EventHeader) -> Bool {
        guard let sentAt else { return true }
        let seconds = header.clock.milliseconds / 1_000
        // Nodes write this form: most times need no calendar.
        if let text = JSONForm.text(seconds: seconds), reads(sentAt, text) { return true }
        guard let date = JSONForm.date(String(decoding: sentAt.content(in: body), as: UTF8.self)) else { return false }
        return Int64(date.timeIntervalSince1970.rounded(.down)) == seconds
    }
}
