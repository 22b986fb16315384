import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: a word to the guides is opened by those for whom it is sealed, in the log of its author alone, and says
/// nothing that its author may not say. Method: a tour of a guide and two members.
struct AsideTests {
    private let party: Party
    private let group: TourGroup
    private static let (member, other) = (2, 3)
    private static let key = SecretBytes([UInt8](repeating: 7, count: WrappingKey.keyBytes))

    init() {
        var party = Party()
        let invite = Party.invite(1)
        group = party.group(of: [
            party.open(invite), party.admit(Self.member, invite), party.admit(Self.other, invite),
        ])
        self.party = party
    }

    private func header(of author: MemberID) -> EventHeader {
        EventHeader(
            eventClass: .announcement, tour: party.tour, author: author, sequence: 5, previous: .none,
            clock: LogicalClock(milliseconds: Party.wall), epoch: party.epoch.id)
    }

    private func opened(_ aside: Aside, by author: MemberID, for reader: MemberID, _ keys: MemberKeys) -> AsideWord? {
        group.open(aside, header(of: author), for: reader, by: [keys.wrapping])
    }

    private static func text(_ text: String) -> Content { .text(text, replyTo: nil) }

    @Test func onlyThoseNamedOpenIt() throws {
        let (own, guide) = (Party.id(Self.member), party.creator.id)
        let word = AsideWord(person: own, content: Self.text("I am afraid of the boat"))
        let aside = try #require(group.seal(word, by: own, key: Self.key) { _ in nil })
        #expect(aside.readers.map(\.member) == [own.prefix, guide.prefix].sorted())
        #expect(opened(aside, by: own, for: own, Party.keys(Self.member)) == word)
        #expect(opened(aside, by: own, for: guide, party.creatorKeys) == word)
        let stranger = Party.id(Self.other)
        #expect(opened(aside, by: own, for: stranger, Party.keys(Self.other)) == nil)
        // Nor by the key of somebody for whom it is sealed, in another's name.
        #expect(opened(aside, by: own, for: stranger, party.creatorKeys) == nil)
        #expect(!group.mayRead(word, by: own, stranger) && group.mayRead(word, by: own, guide))
    }

    @Test func aGuideAnswersOnePerson() throws {
        let (person, guide) = (Party.id(Self.member), party.creator.id)
        let word = AsideWord(person: person, content: Self.text("We take the bus"))
        let aside = try #require(group.seal(word, by: guide, key: Self.key) { _ in nil })
        #expect(opened(aside, by: guide, for: person, Party.keys(Self.member)) == word)
        #expect(group.mayRead(word, by: guide, person) && !group.mayRead(word, by: guide, Party.id(Self.other)))
    }

    @Test func aCopyInAnotherLogOpensToNothing() throws {
        let (own, guide) = (Party.id(Self.member), party.creator.id)
        let word = AsideWord(person: own, content: Self.text("mine"))
        let aside = try #require(group.seal(word, by: own, key: Self.key) { _ in nil })
        #expect(opened(aside, by: Party.id(Self.other), for: guide, party.creatorKeys) == nil)
        #expect(opened(aside, by: guide, for: guide, party.creatorKeys) == nil)
    }

    @Test func nobodySpeaksForAnother() throws {
        let (own, person, guide) = (Party.id(Self.member), Party.id(Self.other), party.creator.id)
        let alarm = Content.alarm(Alarm(text: "help"))
        let answer = Content.alarmAnswer(AlarmAnswer(alarm: .none, word: .coming))
        let found = Content.alarmAnswer(AlarmAnswer(alarm: .none, word: .found))
        func isHeard(_ content: Content, of person: MemberID, by author: MemberID) throws -> Bool {
            let aside = try #require(
                group.seal(AsideWord(person: person, content: content), by: author, key: Self.key) { _ in nil })
            return opened(aside, by: author, for: guide, party.creatorKeys) != nil
        }
        #expect(try !isHeard(Self.text("for Cem"), of: person, by: own))
        #expect(try !isHeard(alarm, of: person, by: own) && !isHeard(alarm, of: person, by: guide))
        #expect(try isHeard(alarm, of: own, by: own))
        #expect(try !isHeard(answer, of: own, by: own) && isHeard(answer, of: own, by: guide))
        #expect(try isHeard(found, of: own, by: own))
    }
}
