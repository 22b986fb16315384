import Glibc
import TourModel
import TourNode

// Moments as people here read them.
extension Timestamp {
    package static var now: Timestamp { Timestamp(seconds: time(nil)) }

    /// Local hours and minutes.
    package var clockTime: String { formatted("%H:%M") }
    /// The local date with its weekday.
    package var day: String { formatted("%A %-d %B %Y") }
    package var dateAndTime: String { formatted("%Y-%m-%d %H:%M") }

    private func formatted(_ pattern: String) -> String {
        var moment = seconds
        var parts = tm()
        localtime_r(&moment, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, pattern, &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
