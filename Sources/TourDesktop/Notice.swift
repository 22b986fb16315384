import TourModel

/// One notification to show; each tour has at most one at a time.
package struct Notice: Hashable, Sendable {
    /// As the notification server knows it.
    package enum Urgency: UInt8, Sendable {
        case normal = 1
        /// Stays until the user has seen it.
        case critical = 2
    }

    /// The sound of a notification. Source: Sound Naming Specification 0.8.
    package enum Sound: String, Sendable {
        case message = "message-new-instant"
        case alarm = "alarm-clock-elapsed"
    }

    /// The tour's id.
    package var tour: String
    /// Plain text on one line.
    package var summary: String
    /// Plain text, some lines.
    package var body: String
    package var urgency: Urgency
    /// nil: none.
    package var sound: Sound?
    /// The view of the page that it opens: `/chat/ID`.
    package var route: String
    /// The answer that a button gives; nil: no button.
    package var reply: Reply?

    /// An answer to one message.
    package struct Reply: Hashable, Sendable {
        /// The message's id.
        package var message: String
        /// The button's label, in the user's language.
        package var word: String
    }

    package init(
        tour: String, summary: String, body: String, urgency: Urgency, sound: Sound?, route: String,
        reply: Reply? = nil
    ) {
        self.tour = tour
        self.summary = summary
        self.body = body
        self.urgency = urgency
        self.sound = sound
        self.route = route
        self.reply = reply
    }
}

/// Which messages to notify of. The raw value is that of `run --notify`.
package enum NoticeChoice: String, CaseIterable, Sendable {
    case all
    /// Announcements of guides, meeting points included.
    case announcements
    case off
}

/// A message that nobody has read yet, with the parts that a notification shows.
package struct NoticeMessage: Hashable, Sendable {
    /// What the notification says of the message.
    package enum Kind: Hashable, Sendable {
        case talk, announcement, urgent
    }

    package var id: String
    /// The author's name.
    package var author: String
    package var kind: Kind
    package var text: String
    /// The label of a button that answers it; nil: it asks for no answer.
    package var replyWord: String?

    package init(id: String, author: String, kind: Kind, text: String, replyWord: String? = nil) {
        self.id = id
        self.author = author
        self.kind = kind
        self.text = text
        self.replyWord = replyWord
    }
}
