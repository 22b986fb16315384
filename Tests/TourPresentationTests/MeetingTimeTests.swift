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
        // As French, Spanish, Portuguese and Dutch people write it.
        ("14h30", 14, 30), ("14 H 30", 14, 30), ("17h", 17, 0), ("17 h", 17, 0), ("9h", 9, 0), ("à 14h30", 14, 30),
        ("à 2h", 2, 0), ("17 heures 30", 17, 30), ("17 horas", 17, 0), ("a las 17:30", 17, 30), ("17:30 h", 17, 30),
        ("às 17h", 17, 0), ("17u30", 17, 30), ("17.30 uur", 17, 30), ("8h du soir", 20, 0), ("vers 17h", 17, 0),
        ("5 de la tarde", 17, 0),
        // A clock of twelve.
        ("5:30 pm", 17, 30), ("5:30pm", 17, 30), ("5 PM", 17, 0), ("5.30 p.m.", 17, 30), ("a las 5 p. m.", 17, 0),
        ("12 am", 0, 0), ("12:15 pm", 12, 15), ("5:30 am", 5, 30), ("6 Uhr abends", 18, 0), ("9 Uhr morgens", 9, 0),
        ("الساعة 5:30 مساءً", 17, 30), ("5:30 م", 17, 30), ("午後5時半", 17, 30), ("午前９時", 9, 0),
        ("17 Uhr", 17, 0), ("um 17 Uhr", 17, 0), ("17 Uhr 30", 17, 30), ("gegen 17 Uhr", 17, 0), ("um 17", 17, 0),
        ("saat 17:30'da", 17, 30), ("saat 17", 17, 0), ("الساعة ١٧", 17, 0), ("17時", 17, 0), ("17時30分に", 17, 30),
        ("二時", 2, 0), ("14:00!", 14, 0), ("\u{200F}17:30\u{200F}", 17, 30),
    ]
    private static let delays: [(String, Int)] = [
        ("in 15 min", 15), ("15 min", 15), ("+15", 15), ("+ 15", 15), ("15m", 15), ("15 Min.", 15), ("in 15", 15),
        ("IN 15 MINUTEN", 15), ("in 1 minute", 1), ("2 h", 120), ("in 2 hours", 120), ("1h30", 90), ("1 h 30 min", 90),
        ("1 Std. 30 Min.", 90), ("+1h", 60), ("24 hours", 1_440), ("1440 min", 1_440), ("dans 15 min", 15),
        ("en 15 min", 15), ("dans 14h30", 870), ("in 5h", 300), ("in 100 m", 100),
        ("dentro de 15 minutos", 15), ("15 dk sonra", 15), ("15 dk", 15), ("بعد 15 دقيقة", 15), ("بعد ١٥ دقيقة", 15),
        ("\u{200E}+15", 15),
        ("15分後", 15), ("1時間30分後", 90), ("１５分", 15),
    ]
    /// About a time, and not sure.
    private static let unclear = [
        "24:00", "14:60", "14:5", "14:00:00", "+0", "in 0 min", "0 min", "1441 min", "25 h", "24 h", "in 9999 h",
        "14:00 pm", "15 min 1 h", "15 min 15 min", "1.5 h", "in 14.3", "in in 15 min", "15分前", "½ h", "100 m",
        "5h", "5h30", "0h30", "14h5", "14 h 30 min", "14h30min", "5 heures", "in 5:30", "5 o'clock", "at 5", "um 5",
        "à 8", "saat 5", "1430 Uhr", "half past five", "half past 5", "quarter to six", "halb sechs", "viertel nach 5",
        "cinq heures et demie", "a las cinco y media", "beş buçuk", "الخامسة والنصف", "noon", "midnight", "à midi",
        "midi", "正午", "tomorrow 9:00", "morgen 9:00", "demain à 9h", "yarın 9:00", "14-15h", "14:00-15:00",
        "14:00 or 15:00", "until 14:00", "20 minutes from now", "~17:00", "13 pm",
    ]
    private static let others = [
        "", " ", "15", "14", "1430", "-15", "+", "min", "in", "in min", "15 days", "later", "++15x", "Gate 2",
        "99999999999999999999 min", String(repeating: "0", count: 60) + "15 min", "\u{0}15 min", "2.5", "24.12",
        "Gare du Midi", "Reception", "10, Downing Street",
    ]

    @Test(arguments: clocks) func aTimeOfDayIsRead(text: String, hour: Int, minute: Int) {
        #expect(MeetingTime(text) == ClockTime("\(hour):\(minute < 10 ? "0" : "")\(minute)").map(MeetingTime.clock))
    }

    @Test(arguments: delays) func aDelayIsRead(text: String, minutes: Int) {
        #expect(MeetingTime(text) == .minutes(minutes))
    }

    /// Nobody meets at a time that somebody else meant.
    @Test(arguments: unclear) func whatIsNotSureIsUnclear(text: String) {
        #expect(MeetingTime.read(text) == .unclear)
        #expect(MeetingTime.split("Tower, \(text)").time == .unclear)
    }

    @Test(arguments: others) func anythingElseIsNone(text: String) {
        #expect(MeetingTime.read(text) == .none && MeetingTime(text) == nil)
    }

    @Test func aDelayCountsFromNow() {
        let now = Timestamp(seconds: 1_767_261_600)
        #expect(MeetingTime.minutes(15).moment(after: now).seconds == now.seconds + 900)
        let hour = ClockTime("14:17")
        #expect(hour.map { MeetingTime.clock($0).moment(after: now) } == hour?.next(after: now))
    }

    @Test(arguments: [
        ("Reception, 14:00", "Reception"), ("Reception, in 15 min", "Reception"), ("Reception , +15", "Reception"),
        ("Gate B, north side, 14:00", "Gate B, north side"), ("ロビー、15分後", "ロビー"),
        ("الاستقبال، 14:00", "الاستقبال"), ("Room, 2.14", "Room"),
        // Without a comma.
        ("Reception 14:00", "Reception"), ("Gate 14h30", "Gate"), ("Gate 14.30", "Gate"), ("Bus 5 pm", "Bus"),
        ("Gate 2 at 14:00", "Gate 2"), ("Gate 2, 14:00", "Gate 2"), ("Platform 9 in 15 min", "Platform 9"),
        ("Gate 3 - 14:00", "Gate 3"), ("Café gegen 17 Uhr", "Café"), ("ロビー17時", "ロビー"),
        ("ロビー午後5時半", "ロビー"), ("الاستقبال الساعة 5:30 مساءً", "الاستقبال"), ("Gare du Midi 14:00", "Gare du Midi"),
        ("Otel saat 17:30'da", "Otel"), ("Recepción a las 5 de la tarde", "Recepción"), ("Hall à 14h30", "Hall"),
        ("Gate A 14:00", "Gate A"), ("Gate A 17h", "Gate A"), ("Hall a las 17", "Hall"), ("Block AB 14:00", "Block AB"),
    ])
    func aTimeAtTheEndIsOne(text: String, words: String) {
        let split = MeetingTime.split(text)
        #expect(split.words == words)
        guard case .time = split.time else {
            Issue.record("\(text): \(split.time)")
            return
        }
    }

    @Test(arguments: [
        "Reception", "Reception, Hotel Adler", "Reception, 14", ", 14:00", "", "Gate 17", "Calle Mayor, 14",
        "Gare du Midi", "Gate 24.12", "10 Downing Street", "10 min from the station", "2.14 Room", "第一ホテル",
        "Track 9 3/4", "Hotel Adler, in front",
        // Words before a time that are the ends of names as well.
        "Gate A 15", "Terminal A 17", "Block AB 15", "Gate CA 17", "Alle 15",
    ])
    func wordsWithoutATimeStay(text: String) {
        let split = MeetingTime.split(text)
        #expect(split.words == text && split.time == .none)
    }

    @Test(arguments: [
        "Gate half past five", "Lobby at 5", "Lobby tomorrow 9:00", "Lobby 14:00 - 15:00", "Lobby 14:00 or 15:00",
        "Lobby half past 14:00", "Room 2.14", "Fountain noon", "Pier 100 m", "Gate, 5h", "Gate 5h30", "Gate 25:00",
        "14:00 Reception", "17h Lobby", "14:00, Reception", "Tower, midi", "Tor halb sechs", "Tor heute 14 Uhr",
        "Gate before 14:00", "Tower in 5:30",
    ])
    func aTimeThatIsNotSureIsSaidToBe(text: String) {
        let split = MeetingTime.split(text)
        #expect(split.words == text && split.time == .unclear)
    }
}
