import TourAPI
import TourModel
import TourWire

extension Message {
    /// Shows the event's content; a kind that is no message leaves the view as it is.
    package mutating func show(_ content: Content, wallMilliseconds: Int64, progress: FileProgress?) {
        switch content {
        case .text(let text, let replyTo): show(text, as: "text", replyTo: replyTo)
        case .announcement(let announcement):
            show(announcement.text, as: "announcement", replyTo: announcement.replyTo)
            metadata.urgent = announcement.urgent
            showExpiry(announcement.expiresAt, wallMilliseconds)
        case .location(let location):
            show(location.text, as: "location", replyTo: location.replyTo)
            metadata.location = Message.Location(fix: location.fix, label: location.label)
        case .file(let file):
            show(file.text, as: "file", replyTo: file.replyTo)
            metadata.file = FileView(file, progress)
        case .image(let image):
            show(image.text, as: "image", replyTo: image.replyTo)
            metadata.file = FileView(image, progress)
        case .meeting(let meeting):
            show(meeting?.text ?? "", as: "meeting", replyTo: nil)
            metadata.meeting = meeting.map { Message.Meeting($0, progress) }
            metadata.cleared = meeting == nil ? true : nil
            showExpiry(meeting?.expiresAt, wallMilliseconds)
        case .alarm(let alarm):
            show(alarm.text, as: "alarm", replyTo: nil)
            metadata.location = alarm.fix.map { Message.Location(fix: $0, label: nil) }
        case .rollCall(let call): show(call.text, as: "roll-call", replyTo: nil)
        // A shared record spans several events: see `TourView.show`.
        case .shared, .withdrawal, .profile, .tourInfo, .meetingAnswer, .alarmAnswer, .rollAnswer, .rollEnd, .buddies,
            .seat, .seatHost, .understood, .aside, .quiet, .unsupported:
            break
        }
    }

    private mutating func show(_ text: String, as type: String, replyTo: EventID?) {
        self.type = type
        content = text
        self.replyTo = replyTo?.hex
    }

    /// - Parameter expiresAt: milliseconds, within the range of a clock; nil: never.
    private mutating func showExpiry(_ expiresAt: Int64?, _ wallMilliseconds: Int64) {
        guard let expiresAt else { return }
        metadata.expiresAt = Timestamp.text(milliseconds: expiresAt)
        metadata.expired = expiresAt < wallMilliseconds
    }
}

extension Message.Meeting {
    fileprivate init(_ meeting: TourWire.Meeting, _ progress: FileProgress?) {
        self.init(
            place: meeting.place, label: meeting.label, meetAt: meeting.at.map { Timestamp.text(milliseconds: $0) },
            photo: meeting.photo.map { FileView($0, progress) })
    }
}
