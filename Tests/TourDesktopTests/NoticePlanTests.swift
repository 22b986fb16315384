import Testing
import TourDesktop
import TourModel

/// Goal: a person is told once of what came, in one place for each tour, no more often than anybody looks, and loudly
/// of what is urgent only. Method: the pure plan under a clock of its own.
@Suite struct NoticePlanTests {
    private static let tour = "aa"
    private var plan = NoticePlan(choice: .all, words: Self.words)
    private var now = Instant(microseconds: 1_000_000_000)

    private static func words(_ summary: NoticeSummary) -> String {
        switch summary {
        case .urgent(let author, let tour): "Urgent, from \(author) in “\(tour)”"
        case .announcement(let author, let tour): "\(author) announces in “\(tour)”"
        case .message(let author, let tour): "\(author) in “\(tour)”"
        case .unread(let count, let tour): "\(count) unread messages in “\(tour)”"
        case .earlier(let count, let tour): "\(count) earlier messages in “\(tour)”"
        }
    }

    private static func message(
        _ id: String, _ text: String = "hello", _ kind: NoticeMessage.Kind = .talk, by author: String = "Ben"
    ) -> NoticeMessage {
        NoticeMessage(id: id, author: author, kind: kind, text: text)
    }

    private static func unread(_ messages: [NoticeMessage], older: Int = 0, tour: String = tour) -> NoticePlan.Unread {
        NoticePlan.Unread(tour: tour, tourName: "Rome", messages: messages, olderCount: older)
    }

    /// What is shown now.
    private mutating func shown(_ messages: [NoticeMessage], older: Int = 0, tour: String = tour) throws -> Notice {
        guard case .show(let notice) = plan.step(Self.unread(messages, older: older, tour: tour), now: now) else {
            throw Silence()
        }
        return notice
    }

    private struct Silence: Error {}

    /// Without the marks that keep foreign text apart.
    private static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { ![0x2068, 0x2069].contains($0.value) }))
    }

    @Test mutating func oneMessageIsToldWhole() throws {
        let notice = try shown([Self.message("m1", "On  the\nbus")])
        #expect(Self.plain(notice.summary) == "Ben in “Rome”")
        #expect(notice.body == "On the bus" && notice.route == "/chat/m1" && notice.tour == Self.tour)
        #expect(notice.urgency == .normal && notice.sound == nil)
    }

    @Test mutating func nothingIsToldTwice() throws {
        _ = try shown([Self.message("m1")])
        now = now + .seconds(60)
        #expect(plan.step(Self.unread([Self.message("m1")]), now: now) == .nothing)
    }

    @Test mutating func moreTakesThePlaceOfLess() throws {
        _ = try shown([Self.message("m1", "one")])
        now = now + NoticePlan.pause
        let notice = try shown([Self.message("m1", "one"), Self.message("m2", "two", by: "Cem")])
        #expect(Self.plain(notice.summary) == "2 unread messages in “Rome”")
        #expect(Self.plain(notice.body) == "Ben: one\nCem: two" && notice.route == "/chat/m2")
    }

    @Test mutating func aStormIsOneNoticeNowAndThen() throws {
        _ = try shown([Self.message("m1")])
        let storm = (1...50).map { Self.message("m\($0)", "text \($0)") }
        now = now + .seconds(1)
        guard case .wait(let moment) = plan.step(Self.unread(storm), now: now) else { throw Silence() }
        #expect(moment == now + .seconds(2))
        now = moment
        let notice = try shown(storm)
        #expect(Self.plain(notice.summary) == "50 unread messages in “Rome”")
        #expect(notice.body.split(separator: "\n").count == 4 && notice.body.hasSuffix("text 50"))
    }

    @Test mutating func manyToursHaveABoundTogether() throws {
        for tour in 0..<NoticePlan.perMinuteMax { _ = try shown([Self.message("m")], tour: "t\(tour)") }
        let one = Self.unread([Self.message("m")], tour: "late")
        #expect(plan.step(one, now: now) == .wait(until: now + .seconds(60)))
        now = now + .seconds(60)
        guard case .show = plan.step(one, now: now) else { throw Silence() }
    }

    @Test mutating func whatWasReadIsTakenDownOnce() throws {
        _ = try shown([Self.message("m1")])
        #expect(plan.step(Self.unread([]), now: now) == .close)
        #expect(plan.step(Self.unread([]), now: now) == .nothing)
        now = now + .seconds(10)
        _ = try shown([Self.message("m2")])
        plan.dismissed(Self.tour)
        #expect(plan.step(Self.unread([]), now: now) == .nothing)
    }

    @Test mutating func urgentIsLoudOnceAndStaysFirst() throws {
        _ = try shown([Self.message("m1")])
        // At once, though something was told a moment ago.
        let alarm = Self.message("m2", "Come to the bus", .urgent, by: "Guide")
        let notice = try shown([Self.message("m1"), alarm])
        #expect(Self.plain(notice.summary) == "Urgent, from Guide in “Rome”")
        #expect(Self.plain(notice.body) == "Come to the bus\nBen: hello" && notice.route == "/chat/m2")
        #expect(notice.urgency == .critical && notice.sound == .alarm)
        now = now + .seconds(10)
        let later = try shown([Self.message("m1"), alarm, Self.message("m3", "where?")])
        #expect(Self.plain(later.body) == "Come to the bus\nBen: hello\nBen: where?")
        #expect(later.urgency == .critical && later.sound == nil)
    }

    @Test mutating func alarmsHaveABound() throws {
        var sounds: [Notice.Sound?] = []
        var messages: [NoticeMessage] = []
        for round in 0..<5 {
            messages.append(Self.message("m\(round)", "Come", .urgent))
            now = now + .seconds(4)
            sounds.append(try shown(messages).sound)
        }
        #expect(sounds == [.alarm, .alarm, .alarm, nil, nil])
        messages.append(Self.message("m5", "Come", .urgent))
        guard case .wait = plan.step(Self.unread(messages), now: now) else { throw Silence() }
    }

    @Test mutating func announcementsAreHeard() throws {
        let notice = try shown([Self.message("m1", "Dinner at 8", .announcement, by: "Guide")])
        #expect(Self.plain(notice.summary) == "Guide announces in “Rome”" && notice.body == "Dinner at 8")
        #expect(notice.urgency == .critical && notice.sound == .message)
    }

    @Test mutating func historyIsOneLine() throws {
        let notice = try shown([], older: 1_200)
        #expect(Self.plain(notice.summary) == "1200 earlier messages in “Rome”")
        #expect(notice.body.isEmpty && notice.sound == nil && notice.route == "/chat")
        now = now + .seconds(10)
        #expect(plan.step(Self.unread([], older: 1_200), now: now) == .nothing)
        let both = try shown([Self.message("m1")], older: 1_201)
        #expect(Self.plain(both.summary) == "1202 unread messages in “Rome”" && Self.plain(both.body) == "Ben: hello")
    }

    @Test func whoWantsLessIsToldLess() throws {
        let messages = [
            Self.message("m1"), Self.message("m2", "Dinner", .announcement), Self.message("m3", "Now", .urgent),
        ]
        var some = NoticePlan(choice: .announcements, words: Self.words)
        guard case .show(let notice) = some.step(Self.unread(messages, older: 3), now: now) else { throw Silence() }
        #expect(Self.plain(notice.body) == "Now\nBen: Dinner")
        #expect(some.step(Self.unread([messages[0]], older: 9, tour: "other"), now: now) == .nothing)
        var none = NoticePlan(choice: .off, words: Self.words)
        #expect(none.step(Self.unread(messages, older: 3), now: now) == .nothing)
    }

    /// Names and texts of others say nothing for us, and have an end.
    @Test mutating func foreignTextStaysInItsPlace() throws {
        let name = "\u{202E}neB\u{0000}\n" + String(repeating: "x", count: 5_000)
        let notice = try shown([Self.message("m1", String(repeating: "word ", count: 13_000), by: name)])
        #expect(notice.summary.hasPrefix("\u{2068}neB xxx") && notice.summary.contains("…\u{2069} in “"))
        #expect(notice.summary.unicodeScalars.count < 200 && notice.body.unicodeScalars.count <= 401)
        #expect(!notice.summary.unicodeScalars.contains { [0, 0x0A, 0x202E].contains($0.value) })
    }
}
