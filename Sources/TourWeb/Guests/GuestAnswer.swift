import Foundation
import TourModel
import TourNode
import TourPresentation
import TourWords

/// What goes into a box for a guest's phone, and what comes out of one: the length of the JSON, the JSON, and bytes.
/// Source: `Protocol/15-seats.md`, "Channel".
package enum GuestPlaintext {
    /// The length of the length of the JSON.
    private static let headBytes = 4

    package static func joined(_ json: some Collection<UInt8>, _ bytes: [UInt8] = []) -> [UInt8] {
        length(json.count) + json + bytes
    }

    /// - Returns: nil where the JSON is longer than all of it.
    package static func parts(_ plaintext: [UInt8]) -> (json: ArraySlice<UInt8>, bytes: ArraySlice<UInt8>)? {
        guard plaintext.count >= headBytes else { return nil }
        let length = plaintext.prefix(headBytes).reduce(0) { $0 << 8 | Int($1) }
        guard length <= plaintext.count - headBytes else { return nil }
        return (plaintext[headBytes..<headBytes + length], plaintext[(headBytes + length)...])
    }

    /// Four bytes, the highest first.
    static func length(_ count: Int) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }
    }
}

/// An answer to a guest's phone, before it is sealed.
struct GuestAnswer {
    let json: [UInt8]
    var bytes: [UInt8] = []

    /// - Parameter text: the JSON of what is behind `ok`.
    init(json text: some Sequence<UInt8>, bytes: [UInt8] = []) {
        json = Array("{\"ok\":".utf8) + text + [UInt8(ascii: "}")]
        self.bytes = bytes
    }

    init(_ value: some Encodable, bytes: [UInt8] = []) throws {
        self.init(json: try Answer.encoded(value), bytes: bytes)
    }

    /// In the guest's language; without advice, which would speak of what guests have not.
    init(refusal error: any Error) { json = Self.refusal(error) }

    var plaintext: [UInt8] { GuestPlaintext.joined(json, bytes) }

    private struct Refusal: Encodable {
        struct Detail: Encodable {
            var code: String
            var message: String
            var seconds: Int?
        }
        var error: Detail
    }

    /// `{"error": …}`.
    private static func refusal(_ error: any Error) -> [UInt8] {
        var detail = Refusal.Detail(
            code: "internal", message: Phrase("This device could not do that. Try again, or ask the guide.").spoken)
        switch error {
        case let error as NodeError where isForGuests(error): detail.code = error.code
        case let error as WebError where ["bad-request", "unknown-op", "no-seat"].contains(error.code):
            detail.code = error.code
        // Whatever is the matter with this device: it lets nobody in.
        case is WebError: return refusal(NodeError.seat(.off))
        default: return (try? Array(Answer.encoded(Refusal(error: detail)))) ?? []
        }
        if let fault = error as? any Fault { detail.message = fault.words(on: PlainSurface()).spoken }
        if case NodeError.seat(.slowDown(let seconds)) = error { detail.seconds = seconds }
        return (try? Array(Answer.encoded(Refusal(error: detail)))) ?? []
    }

    /// Whether the words speak of the guest: what is wrong with the host and its user is theirs alone.
    private static func isForGuests(_ error: NodeError) -> Bool {
        switch error {
        case .seat, .badName, .nullInText, .eventTooLarge, .busy, .waitsForKey, .shareFull, .message, .roll: true
        case .place(.noMeeting), .place(.badMeetingAnswer): true
        case .file(.captionTooLong), .file(.picture), .file(.notComplete), .file(.tooLarge), .file(.cutShort): true
        case .shared(.notShared), .shared(.unknownRecord): true
        default: false
        }
    }
}
