import TourJSON
import TourWeb

/// A message to write, as the local API takes it.
struct Draft: Sendable {
    struct Announcement: Sendable {
        var isUrgent: Bool
        var expiresSeconds: Int?
    }

    var text: String
    var replyTo: String?
    var announcement: Announcement?
    /// A place instead of a text, as `Fix` of the local API; the text is its label, which may be empty.
    var location: JSON?
    /// As typed in the chat, with its command; nil: not typed there.
    var line: String?

    /// - Throws: when the text is empty, in the node's own words.
    static func check(_ text: String) throws(CommandFailure) {
        guard !text.isBlank else { throw .emptyText }
    }

    init(text: String, replyTo: String? = nil, announcement: Announcement? = nil, location: JSON? = nil) {
        self.location = location
        self.text = text
        self.replyTo = replyTo
        self.announcement = announcement
    }

    private var type: String { location != nil ? "location" : announcement != nil ? "announcement" : "text" }

    var json: JSON {
        var members = [
            JSONMember(name: "content", value: .text(text)),
            JSONMember(name: "type", value: .text(type)),
        ]
        if let location { members.append(JSONMember(name: "location", value: location)) }
        if let replyTo { members.append(JSONMember(name: "replyTo", value: .text(replyTo))) }
        if let announcement {
            members.append(JSONMember(name: "urgent", value: .flag(announcement.isUrgent)))
            if let seconds = announcement.expiresSeconds {
                members.append(JSONMember(name: "expiresSeconds", value: .number(String(seconds))))
            }
        }
        return .object(members)
    }
}
