import Testing
import TourAPI
import TourClient
import TourJSON
import TourModel
import TourWords

/// Goal: a place on the command line is read strictly, and what is wrong is said. Method: tables.
struct PlaceArgumentTests {
    @Test(arguments: [
        ("48.8584,2.2945", "48.8584,2.2945", ""),
        ("-33.8568,+151.2153,Opera House", "-33.8568,151.2153", "Opera House"),
        ("0,-0.0", "0,0", ""), ("90,180,A, B", "90,180", "A, B"), ("1, 2", "1,2", ""),
        ("1,2,42nd Street", "1,2", "42nd Street"),
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
        "", ",", "1", "1,", ",1", "nan,1", "1,inf", "91,1", "-90.1,0", "1,181", "48.8584N,2E", "0x10,1", "1e1,1",
        "48,8584,2,2945",
        "1,2,", "1,2, ", "gps,", "1,2,3", ".5,1", "5.,1", "1..2,1", "--1,1", "1,\u{0661}",
    ])
    func whatIsNoPlaceIsRefused(text: String) {
        #expect(throws: PlaceFault.self) { try PlaceArgument(text) }
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
