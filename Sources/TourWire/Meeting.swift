import SwiftProtobuf
import TourModel

/// Where and when all meet. Source: `Protocol/05-events.md`, "Places".
package struct Meeting: Hashable, Sendable {
    package var place: Coordinate
    package var label: String?
    package var text: String
    /// Milliseconds since 1970; nil: no time.
    package var at: Int64?
    /// Likewise; nil: never.
    package var expiresAt: Int64?

    package init(place: Coordinate, label: String?, text: String, at: Int64?, expiresAt: Int64?) {
        self.place = place
        self.label = label
        self.text = text
        self.at = at
        self.expiresAt = expiresAt
    }

    /// Label and text together fit a sealed body as one text does.
    package static func fits(label: String, text: String) -> Bool {
        !text.isEmpty && label.utf8.count + text.utf8.count <= Limits.textBytesMax
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
        guard wire.hasFix else {
            self = .meeting(nil)
            return
        }
        let latest = UInt64(LogicalClock.millisecondsMax)
        guard let fix = Fix(wire.fix), Meeting.fits(label: wire.label, text: wire.text), wire.at <= latest,
            wire.expiresAt <= latest
        else { return nil }
        self = .meeting(
            Meeting(
                place: fix.coordinate, label: wire.label.isEmpty ? nil : wire.label, text: wire.text,
                at: wire.at == 0 ? nil : Int64(wire.at), expiresAt: wire.expiresAt == 0 ? nil : Int64(wire.expiresAt)))
    }
}

extension Meeting {
    var wire: WireMeeting {
        .with {
            $0.fix = .with {
                $0.latitude = place.latitude
                $0.longitude = place.longitude
            }
            $0.label = label ?? ""
            $0.text = text
            $0.at = UInt64(clamping: at ?? 0)
            $0.expiresAt = UInt64(clamping: expiresAt ?? 0)
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
