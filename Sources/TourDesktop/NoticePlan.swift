import TourModel

/// Decides which notifications to show and when: one for each tour, which the next one replaces. Pure: the caller
/// passes time and messages.
package struct NoticePlan: Sendable {
    /// What to do about a tour.
    package enum Step: Hashable, Sendable {
        case show(Notice)
        /// All its messages were read.
        case close
        /// Too soon after others; ask again at that time.
        case wait(until: Instant)
        case nothing
    }

    /// A tour's unread messages.
    package struct Unread: Sendable {
        package var tour: String
        package var tourName: String
        /// Messages to notify of, oldest first.
        package var messages: [NoticeMessage]
        /// Further messages, which arrived long after they were written.
        package var olderCount: Int

        package init(tour: String, tourName: String, messages: [NoticeMessage], olderCount: Int = 0) {
            self.tour = tour
            self.tourName = tourName
            self.messages = messages
            self.olderCount = olderCount
        }
    }

    private struct Shown {
        var at: Instant
        var isUp: Bool
        /// Messages that a notification showed, and that may still be unread.
        var told: Set<String>
        var olderCount: Int
    }

    /// A notification changes at most this often.
    package static let pause: Duration = .seconds(3)
    /// In a minute, over all tours.
    package static let perMinuteMax = 20
    /// Alarms with a sound, in a minute.
    package static let alarmsPerMinuteMax = 3
    /// Messages whose text is shown.
    static let linesMax = 4
    static let lineLengthMax = 160
    static let textLengthMax = 400
    static let nameLengthMax = 60

    private let choice: NoticeChoice
    private let words: @Sendable (NoticeSummary) -> String
    private var shown: [String: Shown] = [:]
    private var moments: [Instant] = []
    private var alarms: [Instant] = []

    /// - Parameter words: a summary, worded for the user.
    package init(choice: NoticeChoice, words: @escaping @Sendable (NoticeSummary) -> String) {
        self.choice = choice
        self.words = words
    }

    /// What to do about a tour now.
    package mutating func step(_ unread: Unread, now: Instant) -> Step {
        let messages = unread.messages.filter(isWanted)
        let olderCount = choice == .all ? unread.olderCount : 0
        let last = shown[unread.tour]
        guard !messages.isEmpty || olderCount > 0 else {
            shown[unread.tour]?.told = []
            shown[unread.tour]?.olderCount = 0
            shown[unread.tour]?.isUp = false
            return last?.isUp == true ? .close : .nothing
        }
        let fresh = messages.filter { last?.told.contains($0.id) != true }
        guard !fresh.isEmpty || olderCount > last?.olderCount ?? 0 else { return .nothing }
        let isUrgent = fresh.contains { $0.kind == .urgent }
        if let moment = nextMoment(last, isUrgent: isUrgent, now: now) { return .wait(until: moment) }
        let notice = notice(unread, messages, fresh, olderCount, now: now)
        moments.append(now)
        if notice.sound == .alarm { alarms.append(now) }
        shown[unread.tour] = Shown(at: now, isUp: true, told: Set(messages.map(\.id)), olderCount: olderCount)
        return .show(notice)
    }

    /// The user dismissed its notification: only later messages bring another one.
    package mutating func dismissed(_ tour: String) { shown[tour]?.isUp = false }

    private func isWanted(_ message: NoticeMessage) -> Bool {
        switch choice {
        case .all: true
        case .announcements: message.kind != .talk
        case .off: false
        }
    }

    /// - Returns: nil when it may be shown now.
    private mutating func nextMoment(_ last: Shown?, isUrgent: Bool, now: Instant) -> Instant? {
        moments.removeAll { now - $0 >= .seconds(60) }
        alarms.removeAll { now - $0 >= .seconds(60) }
        // Further alarms are treated like other messages: nobody heeds so many.
        guard !isUrgent || alarms.count >= Self.alarmsPerMinuteMax else { return nil }
        if let last, now - last.at < Self.pause { return last.at + Self.pause }
        guard moments.count >= Self.perMinuteMax, let first = moments.first else { return nil }
        return first + .seconds(60)
    }

    private func notice(
        _ unread: Unread, _ messages: [NoticeMessage], _ fresh: [NoticeMessage], _ olderCount: Int, now: Instant
    ) -> Notice {
        let newest = fresh.last { $0.kind == .urgent } ?? fresh.last ?? messages.last
        let isUrgent = messages.contains { $0.kind == .urgent }
        let rings = fresh.contains { $0.kind == .urgent } && alarms.count < Self.alarmsPerMinuteMax
        let isTold = fresh.contains { $0.kind != .talk }
        return Notice(
            tour: unread.tour, summary: words(summary(unread, messages, olderCount)),
            body: body(messages, olderCount),
            urgency: messages.contains { $0.kind != .talk } ? .critical : .normal,
            sound: rings ? .alarm : isTold && !isUrgent ? .message : nil,
            route: newest.map { "/chat/" + $0.id } ?? "/chat", reply: newest.flatMap(reply(to:)))
    }

    /// The answer button for the message that the notification opens, if all of it can be read there.
    private func reply(to message: NoticeMessage) -> Notice.Reply? {
        guard let word = message.replyWord, message.text.count <= Self.lineLengthMax else { return nil }
        return Notice.Reply(message: message.id, word: word)
    }

    private func summary(_ unread: Unread, _ messages: [NoticeMessage], _ olderCount: Int) -> NoticeSummary {
        let tour = NoticeText.apart(unread.tourName, lengthMax: Self.nameLengthMax)
        if let urgent = messages.last(where: { $0.kind == .urgent }) {
            return .urgent(author: name(of: urgent), tour: tour)
        }
        guard let only = messages.last else { return .earlier(olderCount, tour: tour) }
        let count = messages.count + olderCount
        guard count == 1 else { return .unread(count, tour: tour) }
        return only.kind == .announcement
            ? .announcement(author: name(of: only), tour: tour) : .message(author: name(of: only), tour: tour)
    }

    /// Urgent messages come first, then the newest.
    private func body(_ messages: [NoticeMessage], _ olderCount: Int) -> String {
        let urgent = messages.last { $0.kind == .urgent }
        // The summary names the author.
        if let text = messages.last, messages.count + olderCount == 1 {
            return NoticeText.line(text.text, lengthMax: Self.textLengthMax)
        }
        var lines: [String] = []
        if let urgent { lines.append(NoticeText.line(urgent.text, lengthMax: Self.textLengthMax)) }
        let others = messages.filter { $0 != urgent }.suffix(Self.linesMax - lines.count)
        lines += others.map { message in
            let text = NoticeText.line(message.text, lengthMax: Self.lineLengthMax)
            return "\(name(of: message)): \(text)"
        }
        return lines.joined(separator: "\n")
    }

    private func name(of message: NoticeMessage) -> String {
        NoticeText.apart(message.author, lengthMax: Self.nameLengthMax)
    }
}
