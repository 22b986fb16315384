import Foundation
import ServerBase
import ServerRequests
import TourCrypto
import TourJSON
import TourModel
import TourWire

/// One entry of a push, as its client wrote it. An unreadable field fails this entry and no other.
struct PushedEntry: Sendable {
    /// What the client calls the entry, which the answer repeats.
    let localID: String
    private let fields: JSON

    /// - Parameter fields: an object.
    /// - Returns: nil when `localId` is missing, no text, or longer than `ServerLimits.localIDBytesMax`.
    init?(_ fields: JSON) {
        guard let localID = fields["localId"]?.text, localID.utf8.count <= ServerLimits.localIDBytesMax else {
            return nil
        }
        self.localID = localID
        self.fields = fields
    }

    var groupID: String? { fields["groupId"]?.text }

    /// The event, if every other field of the entry agrees with it.
    /// - Throws: `PushFault`.
    func event(of tour: TourID) throws(PushFault) -> PushedEvent {
        guard let sealed = try text("sealed"), let data = Data(base64Encoded: sealed) else { throw .eventMalformed }
        let bytes = Array(data)
        let raw: RawEvent
        do {
            raw = try RawEvent(decoding: bytes)
        } catch {
            throw PushFault(error)
        }
        let id = EventCrypto.id(headerBytes: bytes[..<EventHeader.length], signature: raw.signature)
        guard localID == id.hex, try text("senderId") ?? raw.header.author.hex == raw.header.author.hex,
            try text("groupId") ?? tour.hex == tour.hex, try hasTime(of: raw.header)
        else { throw .eventMalformed }
        // Only the genesis names no tour: its own hash must be the tour's id.
        guard raw.header.tour == tour || TourID(genesis: bytes) == tour else { throw .badSignature }
        guard EventCrypto.bodyHash(raw.body) == raw.header.bodyHash else { throw .badSignature }
        return PushedEvent(header: raw.header, id: id, bytes: bytes)
    }

    /// - Returns: nil for a field that is missing or null.
    /// - Throws: `eventMalformed` for one that is no text.
    private func text(_ name: String) throws(PushFault) -> String? {
        switch fields[name] {
        case nil, .null: nil
        case .text(let text): text
        default: throw .eventMalformed
        }
    }

    private func hasTime(of header: EventHeader) throws(PushFault) -> Bool {
        guard let sentAt = try text("sentAt") else { return true }
        let seconds = header.clock.milliseconds / 1_000
        // Nodes write this form: most times need no calendar.
        if sentAt == JSONForm.text(seconds: seconds) { return true }
        guard let date = JSONForm.date(sentAt) else { return false }
        return Int64(date.timeIntervalSince1970.rounded(.down)) == seconds
    }
}
