import SwiftProtobuf
import TourModel

/// The content of a sealed event, once opened. Source: `Protocol/05-events.md`, "Content".
package enum Content: Hashable, Sendable {
    /// A chat message.
    case text(String, replyTo: EventID?)
    /// An announcement by a guide.
    case announcement(Announcement)
    /// The author withdraws one of its own messages.
    case withdrawal(EventID)
    /// The author's name.
    case profile(name: String)
    /// The tour's name.
    case tourInfo(name: String)
    /// A file.
    case file(FileContent)
    /// A file that is shown as a picture.
    case image(FileContent)
    /// A place.
    case location(Location)
    /// The meeting point; nil: there is none any more.
    case meeting(Meeting?)
    /// A member's answer to a meeting point.
    case meetingAnswer(MeetingAnswer)
    /// A call for help.
    case alarm(Alarm)
    /// An answer to an alarm.
    case alarmAnswer(AlarmAnswer)
    /// The start of a roll call.
    case rollCall(RollCall)
    /// A member's answer to a roll call.
    case rollAnswer(RollAnswer)
    /// The end of a roll call.
    case rollEnd(RollEnd)
    /// The groups that answer for each other in roll calls.
    case buddies(Buddies)
    /// The author has understood an urgent announcement.
    case understood(EventID)
    /// A part of a record from a guide's notebook.
    case shared(SharedPart)
    /// The author is a guest's seat, and this member writes for it from here on.
    case seat(SeatRecord)
    /// The author gives seats.
    case seatHost(SeatHost)
    /// A word for those alone who can open it.
    case aside(Aside)
    /// From here on only members who lead write, or everybody again.
    case quiet(Bool)
    /// A later kind: kept, relayed and shown as unsupported.
    case unsupported

    /// An announcement.
    package struct Announcement: Hashable, Sendable {
        /// The text, 1…`Limits.textBytesMax` bytes.
        package var text: String
        /// Whether it needs attention at once.
        package var urgent: Bool
        /// When it expires, in milliseconds since 1970; nil: never.
        package var expiresAt: Int64?
        /// The message that it answers.
        package var replyTo: EventID?

        package init(text: String, urgent: Bool, expiresAt: Int64?, replyTo: EventID?) {
            self.text = text
            self.urgent = urgent
            self.expiresAt = expiresAt
            self.replyTo = replyTo
        }
    }

    /// A place that the author sends.
    package struct Location: Hashable, Sendable {
        /// The position.
        package var fix: Fix
        /// The author's name for the place.
        package var label: String?
        /// The message that it answers.
        package var replyTo: EventID?

        package init(fix: Fix, label: String?, replyTo: EventID?) {
            self.fix = fix
            self.label = label
            self.replyTo = replyTo
        }

        /// For people: the author's name for the place, otherwise its coordinates.
        package var text: String { label ?? fix.coordinate.description }
    }

    /// The class that an event with this content must have; nil where any class is valid.
    package var eventClass: EventClass? {
        switch self {
        case .text, .location: .chat
        case .file, .image: .file
        // The last part is a message, and is found as files are.
        case .shared(let part): part.head == nil ? .profile : .file
        case .announcement, .meeting, .alarm, .alarmAnswer, .rollCall, .rollEnd, .buddies, .aside, .quiet:
            .announcement
        case .withdrawal, .profile, .tourInfo, .meetingAnswer, .rollAnswer, .understood, .seat, .seatHost: .profile
        case .unsupported: nil
        }
    }
}

extension Content {
    /// - Throws: `WireError.recordMalformed` (scope record) for bytes that do not decode, invalid UTF-8, a text or name
    ///   too long, or a place, file or time out of range.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        guard let content = decoded(WireContent.self, bytes), let value = content.value else {
            throw .recordMalformed
        }
        self = value
    }

    /// The plaintext to seal.
    package func encode() -> [UInt8] {
        encoded(
            WireContent.with {
                switch self {
                case .text(let text, let replyTo):
                    $0.text = .with {
                        $0.text = text
                        if let replyTo { $0.replyTo = replyTo.data }
                    }
                case .announcement(let announcement): $0.announcement = announcement.wire
                case .withdrawal(let event): $0.withdrawal = .with { $0.event = event.data }
                case .profile(let name): $0.profile = .with { $0.name = name }
                case .tourInfo(let name): $0.tourInfo = .with { $0.name = name }
                case .file(let file): $0.file = file.wire
                case .image(let image): $0.image = image.wire
                case .location(let location): $0.location = location.wire
                case .meeting(let meeting): $0.meeting = meeting?.wire ?? WireMeeting()
                case .meetingAnswer(let answer): $0.meetingAnswer = answer.wire
                case .shared(let part): $0.shared = part.wire
                case .alarm(let alarm): $0.alarm = alarm.wire
                case .alarmAnswer(let answer): $0.alarmAnswer = answer.wire
                case .rollCall(let call): $0.rollCall = call.wire
                case .rollAnswer(let answer): $0.rollAnswer = answer.wire
                case .rollEnd(let end): $0.rollEnd = end.wire
                case .buddies(let buddies): $0.buddies = buddies.wire
                case .understood(let event): $0.understood = .with { $0.event = event.data }
                case .seat(let record): $0.seat = record.wire
                case .seatHost(let host): $0.seatHost = host.wire
                case .aside(let aside): $0.aside = aside.wire
                case .quiet(let isOn): $0.quiet = .with { $0.on = isOn }
                case .unsupported: preconditionFailure("nobody writes content of an unknown kind")
                }
            })
    }
}

extension WireContent {
    fileprivate var value: Content? {
        switch kind {
        case .text(let wire):
            guard wire.text.fits(Limits.textBytesMax), let replyTo = wire.replyTo.optionalEventID else { return nil }
            return .text(wire.text, replyTo: replyTo)
        case .announcement(let wire):
            guard wire.text.fits(Limits.textBytesMax), let replyTo = wire.replyTo.optionalEventID,
                wire.expiresAt <= UInt64(LogicalClock.millisecondsMax)
            else { return nil }
            return .announcement(
                Content.Announcement(
                    text: wire.text, urgent: wire.urgent,
                    expiresAt: wire.expiresAt == 0 ? nil : Int64(wire.expiresAt), replyTo: replyTo))
        case .withdrawal(let wire): return EventID(wire.event).map(Content.withdrawal)
        case .profile(let wire): return wire.name.fits(Limits.nameBytesMax) ? .profile(name: wire.name) : nil
        case .tourInfo(let wire): return wire.name.fits(Limits.nameBytesMax) ? .tourInfo(name: wire.name) : nil
        case .file(let wire): return FileContent(wire).map(Content.file)
        case .image(let wire): return FileContent(wire).map(Content.image)
        case .location(let wire): return Content.Location(wire).map(Content.location)
        case .meeting(let wire): return Content(wire)
        case .meetingAnswer(let wire): return MeetingAnswer(wire).map(Content.meetingAnswer)
        case .shared(let wire): return Content(wire)
        case .alarm(let wire): return Alarm(wire).map(Content.alarm)
        case .alarmAnswer(let wire): return AlarmAnswer(wire).map(Content.alarmAnswer)
        case .rollCall(let wire): return RollCall(wire).map(Content.rollCall)
        case .rollAnswer(let wire): return RollAnswer(wire).map(Content.rollAnswer)
        case .rollEnd(let wire): return RollEnd(wire).map(Content.rollEnd)
        case .buddies(let wire): return Buddies(wire).map(Content.buddies)
        case .understood(let wire): return EventID(wire.event).map(Content.understood)
        case .seat(let wire): return SeatRecord(wire).map(Content.seat)
        case .seatHost(let wire): return SeatHost(wire).map(Content.seatHost)
        case .aside(let wire): return Aside(wire).map(Content.aside)
        case .quiet(let wire): return .quiet(wire.on)
        case nil: return .unsupported
        }
    }
}

extension Content.Announcement {
    fileprivate var wire: WireAnnouncement {
        .with {
            $0.text = text
            $0.urgent = urgent
            $0.expiresAt = UInt64(clamping: expiresAt ?? 0)
            if let replyTo { $0.replyTo = replyTo.data }
        }
    }
}

extension Content.Location {
    fileprivate init?(_ wire: WireLocation) {
        guard wire.hasFix, let fix = Fix(wire.fix), let replyTo = wire.replyTo.optionalEventID,
            wire.label.utf8.count <= Limits.textBytesMax
        else { return nil }
        self.init(fix: fix, label: wire.label.isEmpty ? nil : wire.label, replyTo: replyTo)
    }

    fileprivate var wire: WireLocation {
        .with {
            $0.fix = fix.wire
            $0.label = label ?? ""
            if let replyTo { $0.replyTo = replyTo.data }
        }
    }
}

extension String {
    /// Whether the text is not empty and its UTF-8 has at most this many bytes.
    package func fits(_ bytesMax: Int) -> Bool { !isEmpty && utf8.count <= bytesMax }
}

extension WireBytes {
    /// `.some(nil)` for an empty field; nil when it is neither empty nor an id.
    var optionalEventID: EventID?? {
        isEmpty ? .some(nil) : EventID(self).map { .some($0) }
    }
}
