import TourModel

/// One notification, as it is to be shown; of a tour there is one at a time.
package struct Notice: Hashable, Sendable {
    package enum Urgency: UInt8, Sendable {
        case normal = 1
        /// Stays until somebody has seen it.
        case critical = 2
    }

    /// What it rings with. Source: Sound Naming Specification 0.8.
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
    /// The place of the page that it opens: `/chat/ID`.
    package var route: String
    /// What can be said to it by a button; nil: nothing.
    package var reply: Reply?

    /// A word for one message.
    package struct Reply: Hashable, Sendable {
        /// The message's id.
        package var message: String
        /// What the button says, in the user's language.
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

/// Which messages are told of. The raw value is that of `run --notify`.
package enum NoticeChoice: String, CaseIterable, Sendable {
    case all
    /// What guides tell everybody, meeting points among it.
    case announcements
    case off
}

/// A message that nobody has read yet, as far as a notification tells it.
package struct NoticeMessage: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case talk, announcement, urgent
    }

    package var id: String
    package var author: String
    package var kind: Kind
    package var text: String
    /// What a button says by which it is answered; nil: it asks for nothing.
    package var replyWord: String?

    package init(id: String, author: String, kind: Kind, text: String, replyWord: String? = nil) {
        self.id = id
        self.author = author
        self.kind = kind
        self.text = text
        self.replyWord = replyWord
    }
}
