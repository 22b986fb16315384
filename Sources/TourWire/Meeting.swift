import SwiftProtobuf
import TourModel

/// The place and time at which everybody meets. Source: `Protocol/05-events.md`, "Places".
package struct Meeting: Hashable, Sendable {
    /// The coordinates; nil: the place is in words only.
    package var place: Coordinate?
    /// A short name of the place.
    package var label: String?
    /// The description, not empty.
    package var text: String
    /// The meeting time in milliseconds since 1970; nil: none.
    package var at: Int64?
    /// When the meeting point expires, in milliseconds since 1970; nil: never.
    package var expiresAt: Int64?
    /// A photo of the place.
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

    /// Whether label, text, and the photo's caption and thumbnail together fit a sealed body as one text does.
    package static func fits(label: String, text: String, photo: FileContent? = nil) -> Bool {
        let photoBytes = (photo?.caption?.utf8.count ?? 0) + (photo?.thumbnail?.count ?? 0)
        return !text.isEmpty && label.utf8.count + text.utf8.count + photoBytes <= Limits.textBytesMax
    }
}

/// A member's answer to a meeting point.
package struct MeetingAnswer: Hashable, Sendable {
    /// The member's situation.
    package enum State: UInt32, Sendable, CaseIterable {
        /// On the way; late; unable to find the place.
        case onMyWay = 1, late, lost
    }

    /// The meeting's event.
    package var meeting: EventID
    /// The member's situation.
    package var state: State
    /// The minutes late, up to `minutesMax`; 0: not stated, or another state.
    package var minutes: UInt32

    /// One day.
    package static let minutesMax: UInt32 = 24 * 60

    /// - Returns: nil for minutes out of range, or minutes with another state than late.
    package init?(meeting: EventID, state: State, minutes: UInt32) {
        guard minutes <= (state == .late ? Self.minutesMax : 0) else { return nil }
        self.meeting = meeting
        self.state = state
        self.minutes = minutes
    }
}

extension Content {
    /// - Returns: nil for a value out of range.
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
