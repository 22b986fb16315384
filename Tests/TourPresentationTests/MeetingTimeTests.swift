import Testing
import TourModel
import TourPresentation

/// Goal: a time to meet reads as people of all languages of the page write it, and nothing else reads as one. Method:
/// tables.
struct MeetingTimeTests {
    private static let clocks: [(String, Int, Int)] = [
        ("14:00", 14, 0), ("9:05", 9, 5), (" 00:00 ", 0, 0), ("23:59", 23, 59), ("14.30", 14, 30), ("at 14:00", 14, 0),
        ("um 14:00 Uhr", 14, 0), ("14:00 Uhr", 14, 0), ("à 14:00", 14, 0), ("saat 14.00", 14, 0), ("١٤:٣٠", 14, 30),
        ("14：00", 14, 0),
    ]
    private static let delays: [(String, Int)] = [
        ("in 15 min", 15), ("15 min", 15), ("+15", 15), ("+ 15", 15), ("15m", 15), ("15 Min.", 15), ("in 15", 15),
        ("IN 15 MINUTEN", 15), ("in 1 minute", 1), ("2 h", 120), ("in 2 hours", 120), ("1h30", 90), ("1 h 30 min", 90),
        ("1 Std. 30 Min.", 90), ("+1h", 60), ("24 h", 1_440), ("1440 min", 1_440), ("dans 15 min", 15),
        ("en 15 min", 15),
        ("dentro de 15 minutos", 15), ("15 dk sonra", 15), ("15 dk", 15), ("بعد 15 دقيقة", 15), ("بعد ١٥ دقيقة", 15),
        ("\u{200E}+15", 15),
        ("15分後", 15), ("1時間30分後", 90), ("１５分", 15),
    ]
    private static let bad = [
        "", " ", "15", "14", "1430", "24:00", "14:60", "14:5", "14:00:00", "-15", "+", "+0", "in 0 min", "0 min",
        "1441 min", "25 h", "in 99999 min", "99999999999999999999 min", "min", "in", "in min", "15 days", "15 s", "2pm",
        "14:00 pm", "15 min 1 h", "15 min 15 min", "1.5 h", "1,5 h", "in 14.3", "in 15 min later", "later", "noon",
        "in in 15 min", "++15", "+15 +15", "15分前", "½ h", String(repeating: "0", count: 60) + "15 min", "\u{0}15 min",
    ]

    @Test(arguments: clocks) func aTimeOfDayIsRead(text: String, hour: Int, minute: Int) {
        #expect(MeetingTime(text) == ClockTime("\(hour):\(minute < 10 ? "0" : "")\(minute)").map(MeetingTime.clock))
    }

    @Test(arguments: delays) func aDelayIsRead(text: String, minutes: Int) {
        #expect(MeetingTime(text) == .minutes(minutes))
    }

    @Test(arguments: bad) func anythingElseIsNone(text: String) {
        #expect(MeetingTime(text) == nil)
    }

    @Test func aDelayCountsFromNow() {
        let now = Timestamp(seconds: 1_767_261_600)
        #expect(MeetingTime.minutes(15).moment(after: now).seconds == now.seconds + 900)
        let hour = ClockTime("14:17")
        #expect(hour.map { MeetingTime.clock($0).moment(after: now) } == hour?.next(after: now))
    }

    @Test(arguments: [
        ("Reception, 14:00", "Reception", true), ("Reception, in 15 min", "Reception", true),
        ("Reception , +15", "Reception", true), ("Gate B, north side, 14:00", "Gate B, north side", true),
        ("ロビー、15分後", "ロビー", true), ("الاستقبال، 14:00", "الاستقبال", true),
        ("Reception", "Reception", false), ("Reception, Hotel Adler", "Reception, Hotel Adler", false),
        ("Reception 14:00", "Reception 14:00", false), ("Reception, 14", "Reception, 14", false),
        (", 14:00", ", 14:00", false), ("14:00, Reception", "14:00, Reception", false), ("", "", false),
    ])
    func aTimeBehindTheLastCommaIsOne(text: String, words: String, isTimed: Bool) {
        let split = MeetingTime.split(text)
        #expect(split.words == words && (split.time != nil) == isTimed)
    }
}
