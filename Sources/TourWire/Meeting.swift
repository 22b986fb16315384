import SwiftProtobuf
import TourModel

/// Where and when all meet. Source: `Protocol/05-events.md`, "Places".
package struct Meeting: Hashable, Sendable {
    /// Nil: in words alone.
    package var place: Coordinate?
    package var label: String?
    package var text: String
    /// Milliseconds since 1970; nil: no time.
    package var at: Int64?
    /// Likewise; nil: never.
    package var expiresAt: Int64?
    /// What it looks like there.
    package var photo: FileContent?

    package init(
        place: Coordinate?, label: String?, text: String, at: Int64?, expiresAt: Int64?, photo: FileContent? = nil
    ) {
        self.place = place
        self.label = label
        self.text = text
        self.at = at
        self.expiresAt = expiresAt
        self.photo = photo
    }

    /// Label and text, and the photo's caption and thumbnail, together fit a sealed body as one text does.
    package static func fits(label: String, text: String, photo: FileContent? = nil) -> Bool {
        let photoBytes = (photo?.caption?.utf8.count ?? 0) + (photo?.thumbnail?.count ?? 0)
        return !text.isEmpty && label.utf8.count + text.utf8.count + photoBytes <= Limits.textBytesMax
    }
}

/// What a member says about a meeting.
package struct MeetingAnswer: Hashable, Sendable {
    package enum State: UInt32, Sendable, CaseIterable {
        case onMyWay = 1, late, lost
    }

    package var meeting: EventID
    package var state: State
    /// How late, up to `minutesMax`; 0: not said, and of other states.
    package var minutes: UInt32

    /// A day.
    package static let minutesMax: UInt32 = 24 * 60

    /// - Returns: nil for minutes out of range, or of somebody who is not late.
    package init?(meeting: EventID, state: State, minutes: UInt32) {
        guard minutes <= (state == .late ? Self.minutesMax : 0) else { return nil }
        self.meeting = meeting
        self.state = state
        self.minutes = minutes
    }
}

extension Content {
    /// - Returns: nil for what is out of range.
    init?(_ wire: WireMeeting) {
        guard wire.hasFix || !wire.text.isEmpty else {
            self = .meeting(nil)
            return
        }
        let latest = UInt64(LogicalClock.millisecondsMax)
        let photo = wire.hasPhoto ? FileContent(wire.photo) : nil
        let fix = wire.hasFix ? Fix(wire.fix) : nil
        guard (fix != nil) == wire.hasFix, (photo != nil) == wire.hasPhoto, photo?.replyTo == nil,
            Meeting.fits(label: wire.label, text: wire.text, photo: photo), wire.at <= latest,
            wire.expiresAt <= latest
        else { return nil }
        self = .meeting(
            Meeting(
                place: fix?.coordinate, label: wire.label.isEmpty ? nil : wire.label, text: wire.text,
                at: wire.at == 0 ? nil : Int64(wire.at), expiresAt: wire.expiresAt == 0 ? nil : Int64(wire.expiresAt),
                photo: photo))
    }
}

extension Meeting {
    var wire: WireMeeting {
        .with {
            if let place {
                $0.fix = .with {
                    $0.latitude = place.latitude
                    $0.longitude = place.longitude
                }
            }
            $0.label = label ?? ""
            $0.text = text
            $0.at = UInt64(clamping: at ?? 0)
            $0.expiresAt = UInt64(clamping: expiresAt ?? 0)
            if let photo { $0.photo = photo.wire }
        }
    }
}

extension MeetingAnswer {
    init?(_ wire: WireMeetingAnswer) {
        guard let meeting = EventID(wire.meeting), let state = State(rawValue: wire.answer) else { return nil }
        self.init(meeting: meeting, state: state, minutes: wire.minutes)
    }

    var wire: WireMeetingAnswer {
        .with {
            $0.meeting = meeting.data
            $0.answer = state.rawValue
            $0.minutes = minutes
        }
    }
}
