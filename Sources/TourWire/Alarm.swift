import SwiftProtobuf
import TourModel

/// A member is lost and asks for help. Source: `Protocol/05-events.md`, "Alarms".
package struct Alarm: Hashable, Sendable {
    /// In its words, up to `Limits.alarmTextBytesMax` bytes; empty: it said none.
    package var text: String
    /// The last place that it shared with the tour.
    package var fix: Fix?
    /// The first eight bytes of the ids of members that it has links with, at most `Limits.alarmNearMax`.
    package var near: [UInt64]
    /// What is left in its device's battery, in percent; nil: not known.
    package var battery: Int?

    package init(text: String, fix: Fix? = nil, near: [UInt64] = [], battery: Int? = nil) {
        self.text = text
        self.fix = fix
        self.near = near
        self.battery = battery
    }
}

/// What is said about an alarm.
package struct AlarmAnswer: Hashable, Sendable {
    /// Of somebody who leads; of the lost member itself `found` alone.
    package enum Word: UInt32, Sendable, CaseIterable {
        case seen = 1
        /// On the way to it.
        case coming
        /// It is to stay where it is.
        case wait
        /// The alarm is over.
        case found
    }

    package var alarm: EventID
    package var word: Word

    package init(alarm: EventID, word: Word) {
        self.alarm = alarm
        self.word = word
    }
}

extension Alarm {
    /// - Returns: nil for what is out of range.
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
