import Glibc
import TourJSON
import TourModel
import TourPresentation
import TourWords

extension JSON {
    /// When to meet, in milliseconds since 1970: `at`, `time` as people write it, or `inSeconds`; nil for none of
    /// them.
    /// - Throws: `bad-meeting`, also for two of them.
    func timeToMeet() throws(WebError) -> Int64? {
        let given = ["at", "time", "inSeconds"].compactMap { name in
            self[name].flatMap { $0 == .null ? nil : (name, $0) }
        }
        guard let (name, value) = given.first else { return nil }
        let now = Timestamp(seconds: time(nil))
        let moment =
            switch name {
            case "at": value.text.flatMap { Timestamp($0) }
            case "time": value.text.flatMap { MeetingTime($0) }?.moment(after: now)
            default:
                value.integer.flatMap { (0...Int(Limits.expirySecondsMax)).contains($0) ? $0 : nil }
                    .map { Timestamp(seconds: now.seconds + $0) }
            }
        guard given.count == 1, let moment else {
            throw WebError(
                "bad-meeting", Phrase("That is no time to meet at: write 14:00, in 15 min or +15."))
        }
        return Int64(moment.seconds) * 1_000
    }
}
