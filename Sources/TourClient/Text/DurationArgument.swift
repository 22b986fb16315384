import TourWords

/// A length of time as people write it: `90s`, `15m`, `2h`, `1d`.
package struct DurationArgument: Hashable, Sendable {
    /// From 1 to ten years.
    package let seconds: Int

    /// - Returns: nil for anything but a whole number and one unit, or a length out of range.
    package init?(_ text: String) {
        let factors: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = text.last, let factor = factors[unit] else { return nil }
        let digits = text.dropLast()
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        guard let count = Int(digits), count > 0 else { return nil }
        let (seconds, overflow) = count.multipliedReportingOverflow(by: factor)
        guard !overflow, seconds <= 3_650 * 86_400 else { return nil }
        self.seconds = seconds
    }

    /// Seconds in the largest unit, from hours on with the next smaller one unless that is zero: `3 min`, `2 h 5
    /// min`, `4 d 1 h`.
    package static func shown(seconds: Int) -> Phrase {
        switch max(seconds, 0) {
        case let count where count < 60: return Phrase("\(count) s")
        case let count where count < 3_600: return Phrase("\(count / 60) min")
        case let count where count < 86_400:
            let (hours, minutes) = (count / 3_600, count % 3_600 / 60)
            return minutes == 0 ? Phrase("\(hours) h") : Phrase("\(hours) h \(minutes) min")
        case let count:
            let (days, hours) = (count / 86_400, count % 86_400 / 3_600)
            return hours == 0 ? Phrase("\(days) d") : Phrase("\(days) d \(hours) h")
        }
    }
}
