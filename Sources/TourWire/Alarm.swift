import SwiftProtobuf
import TourModel

/// A member is lost and asks for help. Source: `Protocol/05-events.md`, "Alarms".
package struct Alarm: Hashable, Sendable {
    /// The member's words, up to `Limits.alarmTextBytesMax` bytes; empty if it wrote none.
    package var text: String
    /// The last position that it shared with the tour.
    package var fix: Fix?
    /// The first eight bytes of the ids of members with which it has links, at most `Limits.alarmNearMax`.
    package var near: [UInt64]
    /// The charge left in its device's battery, in percent; nil: not known.
    package var battery: Int?

    package init(text: String, fix: Fix? = nil, near: [UInt64] = [], battery: Int? = nil) {
        self.text = text
        self.fix = fix
        self.near = near
        self.battery = battery
    }
}

/// An answer to an alarm.
package struct AlarmAnswer: Hashable, Sendable {
    /// Leaders may give every answer; the lost member itself only `found`.
    package enum Word: UInt32, Sendable, CaseIterable {
        /// Somebody has read the alarm.
        case seen = 1
        /// Somebody is on the way to the lost member.
        case coming
        /// The lost member should stay where it is.
        case wait
        /// The alarm is over.
        case found
    }

    /// The alarm's event.
    package var alarm: EventID
    /// The answer.
    package var word: Word

    package init(alarm: EventID, word: Word) {
        self.alarm = alarm
        self.word = word
    }
}

extension Alarm {
    /// - Returns: nil for a value out of range.
    init?(_ wire: WireAlarm) {
        let fix = wire.hasFix ? Fix(wire.fix) : nil
        guard wire.text.utf8.count <= Limits.alarmTextBytesMax, (fix != nil) == wire.hasFix,
            wire.near.count <= Limits.alarmNearMax, wire.battery <= 101
        else { return nil }
        self.init(
            text: wire.text, fix: fix, near: wire.near, battery: wire.battery == 0 ? nil : Int(wire.battery) - 1)
    }

    var wire: WireAlarm {
        .with {
            $0.text = text
            if let fix { $0.fix = fix.wire }
            $0.near = near
            $0.battery = battery.map { UInt32(clamping: $0) + 1 } ?? 0
        }
    }
}

extension AlarmAnswer {
    init?(_ wire: WireAlarmAnswer) {
        guard let alarm = EventID(wire.alarm), let word = Word(rawValue: wire.answer) else { return nil }
        self.init(alarm: alarm, word: word)
    }

    var wire: WireAlarmAnswer {
        .with {
            $0.alarm = alarm.data
            $0.answer = word.rawValue
        }
    }
}
