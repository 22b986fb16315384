import TourJSON
import TourModel
import TourNode
import TourWords

// Every message passes here as a draft, and its answer too: they avoid the general decoder and encoder.

extension TourNode.Draft {
    /// Ignores unknown fields; null counts as absent.
    /// - Throws: `bad-request`, also for a kind of message that this version cannot write: sent as text it would mean
    ///   something else. Source: `Protocol/Schema/local-api.yaml`, `Draft`.
    init(_ body: JSON) throws(WebError) {
        let type = try body.member("type", \.text) ?? "text"
        guard ["text", "announcement", "location"].contains(type) else {
            throw WebError(
                "bad-request", Phrase("The type of a message to send is “text”, “announcement” or “location”."))
        }
        let location = type == "location" ? try Fix(body["location"]) : nil
        let content = try body.member("content", \.text)
        guard let text = content ?? (location == nil ? nil : "") else { throw .badDraft }
        self.init(
            text: text, isAnnouncement: type == "announcement", replyTo: try body.member("replyTo", \.text),
            urgent: try body.member("urgent", \.flag) ?? false,
            expiresSeconds: try body.member("expiresSeconds", \.integer).map(Int64.init), location: location)
    }
}

extension WebError {
    static let badDraft = WebError(
        "bad-request", Phrase("The request's JSON is not what this address takes."))
}

extension JSON {
    fileprivate func member<Value>(_ name: String, _ read: (JSON) -> Value?) throws(WebError) -> Value? {
        guard let member = self[name], member != .null else { return nil }
        guard let value = read(member) else { throw .badDraft }
        return value
    }
}

extension TourNode.SentMessage {
    func appendJSON(to bytes: inout [UInt8]) {
        JSONObjectWriter.append(to: &bytes) { object in
            object.text("id", id)
            object.number("seq", seq)
            object.text("status", status.rawValue)
        }
    }
}
