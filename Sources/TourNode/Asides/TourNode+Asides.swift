import TourAPI
import TourCrypto
import TourGroup
import TourModel
import TourRuntime
import TourWire

// Words between one person and the guides. Source: `Protocol/05-events.md`, "Asides".
extension TourNode {
    /// The word that stands for the guides in a draft.
    static let guidesWord = "guides"

    /// A draft that is not for everybody.
    /// - Parameter alone: `guides`, or by a guide the name or id of a member.
    /// - Throws: `bad-request` for anything but a text, `text-too-long`, `unknown-member`, `not-allowed`, `no-guides`.
    func word(
        _ draft: Draft, to alone: String, _ replyTo: EventID?, in session: TourSession
    ) throws(NodeError) -> Content {
        guard draft.location == nil, !draft.isAnnouncement, !draft.text.isEmpty else {
            throw .message(.aloneIsText)
        }
        let isToGuides = alone == Self.guidesWord
        guard isToGuides || session.rank.leads else { throw .notAllowed }
        let person = try isToGuides ? session.own : member(alone, in: session).id
        return try session.word(to: person, text: draft.text, replyTo, by: session.own)
    }
}

extension TourSession {
    /// The only reader of an answer: nobody answers to all what was said to few, whichever program writes it.
    /// - Returns: nil for an answer to everybody.
    func reader(ofAnswerTo message: EventID?, by author: MemberID) -> String? {
        guard let word = message.flatMap({ asides.word(of: $0) }) else { return nil }
        return group.roster.members[author]?.rank.leads == true && word.person != author
            ? word.person.hex : TourNode.guidesWord
    }

    /// A text between a person and the guides, sealed.
    func word(
        to person: MemberID, text: String, _ replyTo: EventID?, by author: MemberID
    ) throws(NodeError) -> Content {
        try DraftText.check(text, bytesMax: Limits.asideTextBytesMax, .message(.aloneTooLong))
        return try aside(.text(text, replyTo: replyTo), with: person, by: author)
    }

    /// - Throws: `no-guides`, also for a text that its person could not open.
    func aside(_ content: Content, with person: MemberID, by author: MemberID) throws(NodeError) -> Content {
        // Until a guest's own log is here, the admission says who let it in.
        func host(_ member: MemberID) -> MemberID? {
            group.roster.members[member]?.admittedBySeatHost.map { seatBook.host(of: member) ?? $0 }
        }
        let key = SecretBytes.random(count: WrappingKey.keyBytes)
        let reader = (host(person) ?? person).prefix
        let aside = group.seal(AsideWord(person: person, content: content), by: author, key: key, host: host)
        // Calls for help and their answers go to the guides all the same.
        let isOpenable = content.eventClass != .chat || aside?.readers.contains { $0.member == reader } == true
        guard let aside, isOpenable else { throw .message(.noGuides) }
        return .aside(aside)
    }

    /// Whether a reader sees a call for help to the guides alone.
    func mayRead(_ entry: AlarmState.Entry, _ reader: MemberID) -> Bool {
        reader == entry.header.author || group.roster.members[reader]?.rank.leads == true
    }
}
