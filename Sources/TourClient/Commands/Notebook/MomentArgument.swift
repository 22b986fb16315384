import ArgumentParser
import Glibc
import TourModel
import TourPresentation

/// A moment as people write it: `14:30` (the next time that a local clock shows it), `2026-06-01 09:30` by local
/// clocks, or RFC 3339 in UTC.
package struct MomentArgument: Hashable, Sendable {
    package let moment: Timestamp

    /// - Returns: nil for anything else, and for a day that does not exist.
    package init?(_ text: String, now: Timestamp = .now) {
        if let time = Timestamp(text) {
            moment = time
            return
        }
        if let clock = ClockTime(text) {
            moment = clock.next(after: now)
            return
        }
        let words = text.split(whereSeparator: { $0 == " " || $0 == "T" })
        guard words.count == 2, let clock = ClockTime(String(words[1])),
            let day = Timestamp("\(words[0])T00:00:00Z")
        else { return nil }
        var seconds = day.seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        // Without this check the 31st of June would become another day.
        guard Timestamp(seconds: day.seconds).text.hasPrefix(words[0]) else { return nil }
        parts.tm_hour = Int32(clock.hour)
        parts.tm_min = Int32(clock.minute)
        parts.tm_isdst = -1
        moment = Timestamp(seconds: mktime(&parts))
    }
}

extension MomentArgument: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
