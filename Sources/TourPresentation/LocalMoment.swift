import Glibc
import TourModel

/// A moment as paper shows it: in local time and in digits, which read the same in every language.
package struct LocalMoment: Hashable, Sendable {
    /// `2026-11-28`
    package let day: String
    /// `22:30`
    package let time: String

    package init(_ timestamp: Timestamp) {
        var (seconds, parts) = (timestamp.seconds, tm())
        localtime_r(&seconds, &parts)
        func text(_ format: String) -> String {
            var buffer = [CChar](repeating: 0, count: 32)
            let count = strftime(&buffer, buffer.count, format, &parts)
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        (day, time) = (text("%Y-%m-%d"), text("%H:%M"))
    }

    /// Both.
    package var text: String { "\(day) \(time)" }
}
