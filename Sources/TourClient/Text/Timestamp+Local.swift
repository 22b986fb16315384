import Glibc
import TourModel
import TourWords

// Moments in local time.
extension Timestamp {
    /// The present second.
    package static var now: Timestamp { Timestamp(seconds: time(nil)) }

    /// Local hours and minutes.
    package var clockTime: String { formatted("%H:%M") }
    /// The local date with its weekday.
    package var day: Phrase {
        let parts = local
        let (day, year) = (Int(parts.tm_mday), Int(parts.tm_year) + 1_900)
        return Phrase("\(weekday(parts.tm_wday)) \(day) \(month(parts.tm_mon)) \(year)")
    }
    /// Local date and time: `2026-06-01 09:30`.
    package var dateAndTime: String { formatted("%Y-%m-%d %H:%M") }

    private func formatted(_ pattern: String) -> String {
        var parts = local
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, pattern, &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private var local: tm {
        var moment = seconds
        var parts = tm()
        localtime_r(&moment, &parts)
        return parts
    }

    private func weekday(_ number: Int32) -> Phrase {
        switch number {
        case 0: Phrase("Sunday")
        case 1: Phrase("Monday")
        case 2: Phrase("Tuesday")
        case 3: Phrase("Wednesday")
        case 4: Phrase("Thursday")
        case 5: Phrase("Friday")
        default: Phrase("Saturday")
        }
    }

    private func month(_ number: Int32) -> Phrase {
        switch number {
        case 0: Phrase("January")
        case 1: Phrase("February")
        case 2: Phrase("March")
        case 3: Phrase("April")
        case 4: Phrase("May")
        case 5: Phrase("June")
        case 6: Phrase("July")
        case 7: Phrase("August")
        case 8: Phrase("September")
        case 9: Phrase("October")
        case 10: Phrase("November")
        default: Phrase("December")
        }
    }
}
