import Testing
import TourModel

/// Goal: places are exact and in range. Method: known texts, the ends of the ranges, and drawn places.
struct CoordinateTests {
    @Test func decimalsComeBack() throws {
        let known: [(Double, Double, String)] = [
            (48.8584, 2.2945, "48.8584,2.2945"), (-33.8568, 151.2153, "-33.8568,151.2153"), (0, 0, "0,0"),
            (-0.1, 0.0000001, "-0.1,0.0000001"), (90, -180, "90,-180"),
            (-89.9999999, 179.9999999, "-89.9999999,179.9999999"),
            (10.5, -0.05, "10.5,-0.05"),
        ]
        for (north, east, text) in known {
            #expect(try #require(Coordinate(degreesNorth: north, degreesEast: east)).description == text)
        }
        var rng = SplitMix64(seed: 7)
        for _ in 0..<2_000 {
            let latitude = Int32.random(in: -900_000_000...900_000_000, using: &rng)
            let longitude = Int32.random(in: -1_800_000_000...1_800_000_000, using: &rng)
            let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
            #expect(Coordinate(degreesNorth: place.degreesNorth, degreesEast: place.degreesEast) == place)
            let north = try #require(Double(place.latitudeText)), east = try #require(Double(place.longitudeText))
            #expect(Coordinate(degreesNorth: north, degreesEast: east) == place)
        }
    }

    @Test func whatIsNoPlaceIsRefused() {
        for (north, east) in [
            (90.0000001, 0), (-91, 0), (0, 180.0000001), (0, -181), (.nan, 0), (0, .nan), (.infinity, 0),
            (0, -.infinity),
            (1e300, 0), (0, 1e300),
        ] as [(Double, Double)] {
            #expect(Coordinate(degreesNorth: north, degreesEast: east) == nil)
        }
        #expect(Coordinate(latitude: .min, longitude: 0) == nil)
        #expect(Coordinate(latitude: 0, longitude: .max) == nil)
    }

    @Test func fixesHaveBounds() throws {
        let place = try #require(Coordinate(latitude: 1, longitude: 2))
        #expect(Fix(place, accuracyMetres: Fix.accuracyMax, fixedAt: LogicalClock.millisecondsMax) != nil)
        #expect(Fix(place, accuracyMetres: Fix.accuracyMax + 1) == nil)
        #expect(Fix(place, fixedAt: LogicalClock.millisecondsMax + 1) == nil)
        #expect(Fix(place, fixedAt: 0) == nil)
        #expect(Fix(place, fixedAt: -1) == nil)
    }
}
