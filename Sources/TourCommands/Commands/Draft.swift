import TourWeb

/// A message to be written, as the local API takes it.
struct Draft: Sendable {
    struct Announcement: Sendable {
        var isUrgent: Bool
        var expiresSeconds: Int?
    }

    var text: String
    var replyTo: String?
    var announcement: Announcement?
    /// As it was typed in the chat, with its command; nil: not typed there.
    var line: String?

    /// - Throws: when there is nothing in it, in the node's own words.
    static func check(_ text: String) throws(CommandFailure) {
        guard !text.isBlank else { throw .emptyText }
    }

    init(text: String, replyTo: String? = nil, announcement: Announcement? = nil) {
        self.text = text
        self.replyTo = replyTo
        self.announcement = announcement
    }

    var json: JSON {
        var members = [
            JSONMember(name: "content", value: .text(text)),
            JSONMember(name: "type", value: announcement == nil ? "text" : "announcement"),
        ]
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
