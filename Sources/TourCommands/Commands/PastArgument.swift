import ArgumentParser
import TourModel

/// A moment that is over, as people write it: `20m` ago, `14:30` (the last time that a clock here showed it),
/// `2026-06-01 09:30` by the clocks here, or RFC 3339 in UTC.
package struct PastArgument: Hashable, Sendable {
    package let moment: Timestamp

    /// - Returns: nil for anything else, and for what is still to come.
    package init?(_ text: String, now: Timestamp = .now) {
        if let ago = DurationArgument(text) {
            moment = Timestamp(seconds: now.seconds - ago.seconds)
            return
        }
        guard let said = MomentArgument(text, now: now)?.moment else { return nil }
        // A time of day without a day is read as the next one.
        let isTimeOfDay = !text.contains("-")
        moment = isTimeOfDay && said.seconds > now.seconds ? Timestamp(seconds: said.seconds - 86_400) : said
        guard moment.seconds <= now.seconds else { return nil }
    }
}

extension PastArgument: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
