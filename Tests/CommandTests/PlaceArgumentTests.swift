import Testing
import TourAPI
import TourClient
import TourJSON
import TourModel
import TourPresentation
import TourWords

/// Goal: a place on the command line is read strictly, and what is wrong is said. Method: tables.
struct PlaceArgumentTests {
    @Test(arguments: [
        ("48.8584,2.2945", "48.8584,2.2945", ""),
        ("-33.8568,+151.2153,Opera House", "-33.8568,151.2153", "Opera House"),
        ("0,-0.0", "0,0", ""), ("90,180,A, B", "90,180", "A, B"), ("1, 2", "1,2", ""),
        ("1,2,42nd Street", "1,2", "42nd Street"),
        ("41.0086,28.9802,O'Brien's", "41.0086,28.9802", "O'Brien's"),
        ("41.0086 28.9802 2'nci kat", "41.0086,28.9802", "2'nci kat"),
    ])
    func placesAreRead(text: String, place: String, label: String) throws {
        let argument = try PlaceArgument(text)
        #expect(argument.coordinate?.description == place)
        #expect(argument.label == label)
    }

    @Test func theReceiverIsNamed() throws {
        #expect(try PlaceArgument("gps").coordinate == nil)
        #expect(try PlaceArgument("GPS,At the gate").label == "At the gate")
    }

    @Test(arguments: [
        "", ",", "1", "1,", ",1", "nan,1", "1,inf", "91,1", "-90.1,0", "1,181", "48.8584N,2.5N", "0x10,1", "1e1,1",
        "48,8584,2,2945",
        "1,2,", "1,2, ", "gps,", "1,2,3", ".5,1", "5.,1", "1..2,1", "--1,1",
    ])
    func whatIsNoPlaceIsRefused(text: String) {
        #expect(throws: PlaceFault.self) { try PlaceArgument(text) }
    }

    /// One place, in every form in which people write or paste it.
    @Test(arguments: [
        "41.0086,28.9802", "41.0086, 28.9802", "41.0086 28.9802", "(41.0086, 28.9802)", "[41.0086,28.9802]",
        "41,0086 28,9802", "41,0086; 28,9802", "41,0086, 28,9802", "41.0086° N, 28.9802° E", "41.0086N 28.9802E",
        "N 41.0086, E 28.9802", "28.9802 E, 41.0086 N", "41° 0.516' N 28° 58.812' E", "41°0,516'K 28°58,812'D",
        "41°00′30.96″N 28°58′48.72″E", "41°00'30.96'' 28°58'48.72''", "٤١٫٠٠٨٦،٢٨٫٩٨٠٢", "４１．００８６，２８．９８０２",
        "\u{202A}41.0086,28.9802\u{202C}", "+41.0086,+28.9802",
        "geo:41.0086,28.9802", "geo:41.0086,28.9802;u=35", "GEO:41.0086,28.9802,12;crs=wgs84;u=35",
        "geo:41.0086,28.9802?z=17", "geo:0,0?q=41.0086,28.9802(Gate)",
        "https://www.google.com/maps/@41.0086,28.9802,17z", "https://maps.google.com/?q=41.0086,28.9802",
        "https://www.google.com/maps/place/Hagia+Sophia/@41.1,28.8,17z/data=!3m1!4b1!4m5!8m2!3d41.0086!4d28.9802!16z",
        "https://www.google.com/maps/search/?api=1&query=41.0086%2C28.9802",
        "https://www.google.com/maps/place/41%C2%B000'30.96%22N+28%C2%B058'48.72%22E/@41.1,28.8,17z",
        "https://maps.apple.com/?ll=41.0086,28.9802&q=Gate", "https://maps.apple.com/?daddr=41.0086,28.9802",
        "https://www.openstreetmap.org/?mlat=41.0086&mlon=28.9802#map=17/41.1/28.8",
        "https://www.openstreetmap.org/#map=17/41.0086/28.9802",
    ])
    func aPlaceIsOneInEveryForm(text: String) throws {
        #expect(try PlaceArgument(text).coordinate?.description == "41.0086,28.9802")
        let labelled = try PlaceArgument(text + " By the gate")
        #expect(labelled.coordinate?.description == "41.0086,28.9802" && labelled.label == "By the gate")
        // The same place, wherever one may be written.
        let command = ChatInput("/here \(text) By the gate")
        #expect(command == .here(labelled))
        #expect(MeetingLine("\(text) By the gate").words == ["41.0086,28.9802", "By the gate"])
        #expect(try MeetingPlace(text) == .fix(PlaceArgument(text)))
    }

    @Test(arguments: [
        ("−33.8568,151.2153", "-33.8568,151.2153"), ("-33,8568; 151,2153", "-33.8568,151.2153"),
        ("33.8568S 151.2153E", "-33.8568,151.2153"), ("33°51′24.48″G 151°12′55.08″D", "-33.8568,151.2153"),
        ("geo:-33.8568,-151.2153", "-33.8568,-151.2153"), ("33.8568° S, 151.2153° W", "-33.8568,-151.2153"),
    ])
    func theSouthAndTheWestAreKept(text: String, place: String) throws {
        #expect(try PlaceArgument(text).coordinate?.description == place)
    }

    /// Never another place than the one that was written.
    @Test(arguments: [
        "geo:91,1", "geo:1,2;crs=other", "geo:0,0?q=Gate", "https://maps.app.goo.gl/abc", "41.0086,28.9802,35",
        "https://www.google.com/maps/place/Hagia+Sophia/@41.1,28.8,17z", "41.0086 N, 28.9802 N", "(41.0086, 28.9802",
        "https://www.google.com/maps/dir/41.1,28.8/41.0,28.9/@41.0,28.9,17z", "41°75'N 28°E", "41.5°30'N 28°E",
        "https://maps.google.com/?q=Cafe&ll=41.0086,28.9802", "-41.0 S, 28.9 E", "95,2", "48,8584,2,2945",
        "https://www.openstreetmap.org/node/123#map=17/41.0086/28.9802", "at 41.0086,28.9802", "Gate geo:41,28",
        "By https://maps.apple.com/?ll=41.0086,28.9802", "See 41°00'31\"N 28°58'49\"E",
        "41°00'31 28°58'49 Gate", "41°00 28°58 Gate", "41.0086 28.9802 30' Gate", "41.0086 28.9802 30'E",
        "41.0086 28.9802 12°30'E", "41.0086° 28.9802 Gate",
    ])
    func whatIsAnotherPlaceIsRefused(text: String) {
        #expect(throws: PlaceFault.self) { try PlaceArgument(text) }
        guard case .unknown = ChatInput("/here \(text)") else {
            Issue.record("/here \(text) was taken")
            return
        }
    }

    @Test(arguments: [
        "41,0086", "41,5 28,5", "41,5 28 Gate", "10 20 Downing Street", "12, 14 Main Street", "14.30 15.30 bus",
        "41O, 28E", "(2nd floor)", "1,2, 3 Gate", "G 12, B 4", "9/11", "https://example.org/?q=41.0086,28.9802",
    ])
    func whatMayBeSomethingElseIsNoPlace(text: String) {
        #expect(WrittenPlace(text) == nil)
    }

    @Test func theReasonIsSaid() {
        for (text, word) in [
            ("91,1", "latitude"), ("1,181", "longitude"), ("1,", "missing"), ("1", "comma"),
            ("48,8584,2,2945", "point"), ("48.8584N,2", "decimal"),
        ] {
            do throws(PlaceFault) {
                _ = try PlaceArgument(text)
                Issue.record("\(text) was taken")
            } catch {
                #expect(error.description.contains(word), "\(error)")
                #expect(error.description.contains("LAT,LON"))
            }
        }
    }

    private static func message(_ content: String, _ metadata: JSON) throws -> Message {
        try answered(Message.self, ["id": "7", "type": "location", "content": .text(content), "metadata": metadata])
    }

    @Test func locationsAreShown() throws {
        let place: JSON = ["latitude": .number("48.8584"), "longitude": .number("2.2945"), "accuracyMetres": 12]
        #expect(try Self.message("48.8584,2.2945", place).body.english == "Location: 48.8584,2.2945 ± 12 m")
        #expect(try Self.message("Tower\u{1B}", place).body.english.hasSuffix(" (48.8584,2.2945 ± 12 m)"))
        #expect(try !Self.message("Tower\u{1B}", place).body.english.contains("\u{1B}"))
        #expect(try Self.message("somewhere", [:]).body.english == "Location: somewhere")
    }
}
