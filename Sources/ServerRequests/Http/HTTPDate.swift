import Foundation

/// Times as HTTP writes them. Source: RFC 9110, section 5.6.7.
package enum HTTPDate {
    /// The text of a time.\n- Parameter microseconds: since 1970.
    package static func text(microseconds: Int64) -> String {
        let style = Date.VerbatimFormatStyle(
            format: """
                \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
                \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
                \(second: .twoDigits) GMT
                """, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
            calendar: Calendar(identifier: .gregorian))
        return Date(microseconds: microseconds).formatted(style)
    }
}
