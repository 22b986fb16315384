import Glibc
import Testing
import TourAPI
import TourClient
import TourJSON
import TourModel
import TourPresentation
import TourWords

/// Goal: the meeting point reads as it is, and a time of day means the next one. Method: tables.
struct MeetingTests {
    @Test func timesOfDayAreRead() {
        #expect(ClockTime("14:30")?.hour == 14)
        #expect(ClockTime("9:05")?.minute == 5)
        for bad in ["", "14", "24:00", "14:60", "14:5", "1430", "14:30:00", "-1:00", "+9:00", " 9:00", "2pm"] {
            #expect(ClockTime(bad) == nil, "\(bad)")
        }
    }

    @Test func aTimeOfDayIsTheNextOne() throws {
        let now = Timestamp(seconds: 1_767_261_600)
        for hour in 0..<24 {
            let argument = try #require(ClockTime("\(hour):17"))
            let next = argument.next(after: now)
            #expect(next.seconds > now.seconds && next.seconds <= now.seconds + 25 * 3_600)
            #expect(next.clockTime == (hour < 10 ? "0" : "") + "\(hour):17")
        }
    }

    private static let meeting: JSON = [
        "text": "North pillar", "by": "Guide", "latitude": .number("48.8584"), "longitude": .number("2.2945"),
        "label": "Tower", "meetAt": .null, "secondsLeft": 600, "expired": false,
        "answers": [
            ["name": "Cem", "answer": "lost", "minutes": .null], ["name": "Ben", "answer": "late", "minutes": 10],
            ["name": "Ada", "answer": "on-my-way", "minutes": .null],
        ],
        "unanswered": ["Dan", "Eve"],
    ]

    @Test func allIsSaid() throws {
        #expect(
            MeetingWords(try answered(Self.meeting)).lines.map(\.english) == [
                "North pillar — Tower (48.8584,2.2945), by Guide", "At , in 10 min.", "  Cem: lost",
                "  Ben: 10 min late", "  Ada: on the way", "  No answer: Dan, Eve",
            ])
    }

    @Test func aPictureIsNamedByTheMeeting() throws {
        let photo: JSON = ["name": "kiosk.jpg", "size": 1_500]
        var members: [JSONMember] = [.init(name: "photo", value: photo), .init(name: "id", value: "3fa2c1d0ff")]
        if case .object(let rest) = Self.meeting { members += rest }
        let lines = MeetingWords(try answered(.object(members))).lines.map(\.english)
        #expect(lines.contains("Picture: kiosk.jpg (1 kB) ('tour-chat open 3fa2c1d0' shows it)"))
    }

    @Test func wordsAloneAreAPlace() throws {
        var members: [JSONMember] = []
        if case .object(let all) = Self.meeting {
            members = all.filter { !["latitude", "longitude"].contains($0.name) }
        }
        #expect(MeetingWords(try answered(.object(members))).lines.first?.english == "North pillar — Tower, by Guide")
        let bare = members.filter { $0.name != "label" }
        #expect(MeetingWords(try answered(.object(bare))).lines.first?.english == "North pillar, by Guide")
    }

    @Test(arguments: [
        "Reception", "In front of the hotel", "10, Downing Street", "Gate 12", "12 Main Street", "gpsd", "gps tower",
        "-33, something", "14:00", "14.30", "+10", "", "(2nd floor)", "12, 14 Main Street", "half past 5",
    ])
    func wordsAreNoCoordinates(text: String) throws {
        #expect(try MeetingPlace(text) == .words(text))
    }

    @Test func whatLooksLikeCoordinatesIsRead() throws {
        for text in [
            "gps", "GPS,Tower", "1,2", "geo:41.0086,28.9802;u=35", "48.8584,2.2945",
            "-33.8568,151.2153,Opera, by the steps",
        ] {
            let place = try PlaceArgument(text)
            #expect(try MeetingPlace(text) == .fix(place))
        }
        for bad in ["48.8584", "12", "48,8584,2,2945", "91,0", "48.8584,2.2945N", "48.8584,Tower", "1,", "gps,"] {
            #expect(throws: PlaceFault.self, "\(bad)") { try MeetingPlace(bad) }
        }
    }

    private static func message(_ metadata: JSON, _ content: String = "North pillar") throws -> Message {
        try answered(Message.self, ["id": "7", "type": "meeting", "content": .text(content), "metadata": metadata])
    }

    @Test func messagesAreShown() throws {
        let place: JSON = ["latitude": .number("1.5"), "longitude": .number("2"), "label": "Gate", "expired": true]
        #expect(try Self.message(place).body.english == "Meeting point: North pillar — Gate (1.5,2) (expired)")
        let photo: JSON = [
            "latitude": .number("1.5"), "longitude": .number("2"), "photo": ["name": "gate.jpg", "size": 1_200_000],
        ]
        #expect(
            try Self.message(photo).body.english == "Meeting point: North pillar — 1.5,2\nPicture: gate.jpg (1.2 MB)")
        let inWords = try Self.message([:], "Reception").body.english
        #expect(inWords == "Meeting point: Reception")
        let labelled = try Self.message(["label": "Reception"], "Bring your bags").body.english
        #expect(labelled == "Meeting point: Bring your bags — Reception")
        let time = "2026-06-01T08:00:00Z"
        let clock = try #require(Timestamp(time)).clockTime
        let timed = try Self.message(["meetAt": .text(time)], "Reception").body.english
        #expect(timed == "Meeting point: Reception at \(clock)")
        #expect(try Self.message(["cleared": true], "").body.english == "(no meeting point any more)")
    }
}
