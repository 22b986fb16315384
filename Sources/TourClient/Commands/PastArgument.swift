import ArgumentParser
import TourModel

/// A moment in the past, as people write it: `20m` ago, `14:30` (the last time that a local clock showed it),
/// `2026-06-01 09:30` by local clocks, or RFC 3339 in UTC.
package struct PastArgument: Hashable, Sendable {
    package let moment: Timestamp

    /// - Returns: nil for anything else, and for a moment in the future.
    package init?(_ text: String, now: Timestamp = .now) {
        if let ago = DurationArgument(text) {
            moment = Timestamp(seconds: now.seconds - ago.seconds)
            return
        }
        guard let said = MomentArgument(text, now: now)?.moment else { return nil }
        // `MomentArgument` reads a time of day without a day as the next one.
        let isTimeOfDay = !text.contains("-")
        moment = isTimeOfDay && said.seconds > now.seconds ? Timestamp(seconds: said.seconds - 86_400) : said
        guard moment.seconds <= now.seconds else { return nil }
    }
}

extension PastArgument: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
