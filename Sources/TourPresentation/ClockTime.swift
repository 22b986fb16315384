import Glibc
import TourModel

/// A time of day as people write it: `14:30`, `9:05`.
package struct ClockTime: Hashable, Sendable {
    package let hour: Int
    package let minute: Int

    /// - Returns: nil for anything but hours and two digits of minutes.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            text.utf8.allSatisfy({ $0 == UInt8(ascii: ":") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        self.hour = hour
        self.minute = minute
    }

    /// The next moment at which a local clock shows this time: today, or tomorrow.
    package func next(after now: Timestamp) -> Timestamp {
        var moment = now.seconds
        var parts = tm()
        localtime_r(&moment, &parts)
        parts.tm_hour = Int32(hour)
        parts.tm_min = Int32(minute)
        parts.tm_sec = 0
        parts.tm_isdst = -1
        var today = parts
        let time = mktime(&today)
        if time > now.seconds { return Timestamp(seconds: time) }
        // Not 24 hours later: a night may be longer or shorter by one.
        parts.tm_mday += 1
        parts.tm_isdst = -1
        return Timestamp(seconds: mktime(&parts))
    }
}
