import TourWords

/// A command of the chat, as typed.
package enum ChatVerb: String, CaseIterable, Sendable {
    case reply = "/reply"
    case search = "/search"
    case who = "/who"
    case members = "/members"
    case here = "/here"
    case meet = "/meet"
    case announce = "/announce"
    case urgent = "/urgent"
    case understood = "/understood"
    case roll = "/roll"
    case endRoll = "/endroll"
    case admit = "/admit"
    case refuse = "/refuse"
    case lost = "/lost"
    case seen = "/seen"
    case coming = "/coming"
    case wait = "/wait"
    case found = "/found"
    case image = "/image"
    case file = "/file"
    case save = "/save"
    case missing = "/missing"
    case receipts = "/receipts"
    case help = "/help"
    case quit = "/quit"

    /// The kind of word that follows it.
    package enum Object: Hashable, Sendable {
        case nothing, text
        /// A member who has written something.
        case author
        /// A lost member.
        case lost
    }

    /// The kind of word that follows this command.
    package var object: Object {
        switch self {
        case .who, .members, .missing, .receipts, .understood, .endRoll, .help, .quit: .nothing
        case .reply: .author
        case .seen, .coming, .wait, .found: .lost
        case .search, .here, .meet, .announce, .urgent, .roll, .admit, .refuse, .lost, .image, .file, .save: .text
        }
    }

    /// The lines of `/help` in this width.
    package static func helpLines(columns: Int) -> [String] {
        var table = Table()
        let commands = [
            (Phrase(verbatim: "/who"), Phrase("who is in the tour, and who is near")),
            (Phrase("/reply N TEXT"), Phrase("answer message #N, or with a NAME that person's last one")),
            (Phrase("/search WORDS"), Phrase("find messages that have all of these words")),
            (Phrase("/here TEXT"), Phrase("answer a roll call, or say where you are (or LAT,LON)")),
            (Phrase("/meet PLACE TEXT"), Phrase("where all meet (guides); takes what 'tour-chat meet' takes")),
            (Phrase("/announce TEXT"), Phrase("tell everybody (guides)")),
            (Phrase("/urgent TEXT"), Phrase("tell everybody, and that it is urgent (guides)")),
            (Phrase(verbatim: "/understood"), Phrase("what is urgent is read and understood")),
            (Phrase("/roll PLACE"), Phrase("ask everybody to say that they are here (guides)")),
            (Phrase(verbatim: "/endroll"), Phrase("end the roll call (guides)")),
            (Phrase("/admit WORDS"), Phrase("let in who asks, by the words (guides); or /refuse WORDS")),
            (Phrase("/lost TEXT"), Phrase("you are lost: call the guides")),
            (Phrase(verbatim: "/seen /coming /wait"), Phrase("answer who is lost (guides; a name may follow)")),
            (Phrase("/found NAME"), Phrase("who was lost is found; without NAME: you")),
            (Phrase("/image PATH TEXT"), Phrase("send a picture, and what you say of it")),
            (Phrase("/file PATH TEXT"), Phrase("send a file as it is")),
            (Phrase("/save ID DIR"), Phrase("save a file or picture; without DIR in ~/Downloads")),
            (Phrase(verbatim: "/missing"), Phrase("who lacks your last announcement")),
            (Phrase(verbatim: "/quit"), Phrase("leave the chat (also Ctrl-C, Ctrl-D)")),
            (Phrase("//TEXT"), Phrase("a message that starts with a slash")),
        ]
        for (command, words) in commands { table.add([.init(command), .init(words)]) }
        let more = [
            Phrase("Tab completes commands and names. A wide window shows the members at its right."),
            Phrase("Page up and down scroll; up and down bring back what you wrote."),
            Phrase(
                "★ behind a name: leads the tour. Digits behind it: somebody else has a name that reads the same."),
            Phrase(
                "… with you only   ✓ on another device   ✓✓ with everybody   ✓✓ read by everybody   ✗ refused"),
        ]
        return table.lines(colored: false, columns: columns) + more.map(\.text)
    }
}
