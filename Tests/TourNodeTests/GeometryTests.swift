import Testing
import TourModel
import TourNode

/// Goal: distances and directions are right everywhere. Method: known pairs, and places drawn at random.
struct GeometryTests {
    private static func place(_ north: Double, _ east: Double) throws -> Coordinate {
        try #require(Coordinate(degreesNorth: north, degreesEast: east))
    }

    private static let half = 20_015_114.35

    @Test func knownPairs() throws {
        let paris = try Self.place(48.8566, 2.3522), london = try Self.place(51.5074, -0.1278)
        let newYork = try Self.place(40.7128, -74.0060), sydney = try Self.place(-33.8688, 151.2093)
        #expect(abs(paris.metres(to: london) - 343_556) < 500)
        #expect(abs(london.metres(to: newYork) - 5_570_222) < 3_000)
        #expect(abs(paris.metres(to: sydney) - 16_960_000) < 10_000)
        #expect(abs(try #require(paris.bearing(to: london)) - 330.0) < 0.5)
        #expect(abs(try #require(london.bearing(to: newYork)) - 288.3) < 0.5)
        let degree = try Self.place(0, 0).metres(to: Self.place(1, 0))
        #expect(abs(degree - 111_195) < 1)
    }

    @Test func smallDistancesStayExact() throws {
        let here = try Self.place(48.8584, 2.2945)
        let near = try Self.place(48.8584 + 0.0000090, 2.2945)
        #expect(abs(here.metres(to: near) - 1.0) < 0.01)
        #expect(here.metres(to: here) == 0)
        #expect(here.bearing(to: here) == nil)
    }

    @Test func polesAntipodesAndTheDateLine() throws {
        let north = try Self.place(90, 0), south = try Self.place(-90, 0)
        #expect(abs(north.metres(to: south) - Self.half) < 1)
        #expect(try north.metres(to: Self.place(90, 123)) < 0.001)
        #expect(abs(try Self.place(12.5, 34).metres(to: Self.place(-12.5, -146)) - Self.half) < 1)
        let west = try Self.place(0, 179.9), east = try Self.place(0, -179.9)
        #expect(abs(west.metres(to: east) - 22_239) < 5)
        #expect(west.bearing(to: east) == 90)
        #expect(east.bearing(to: west) == 270)
        #expect(try Self.place(0, 180).metres(to: Self.place(0, -180)) < 0.001)
        #expect(try north.bearing(to: Self.place(10, 50)).map { abs($0 - 130) < 0.001 } == true)
        #expect(try Self.place(10, 50).bearing(to: north).map { $0 < 0.001 || $0 > 359.999 } == true)
    }

    @Test func drawnPlacesKeepTheLaws() throws {
        var rng = SplitMix64(seed: 5)
        for _ in 0..<3_000 {
            let places = try (0..<3).map { _ in
                try #require(
                    Coordinate(
                        latitude: Int32.random(in: -900_000_000...900_000_000, using: &rng),
                        longitude: Int32.random(in: -1_800_000_000...1_800_000_000, using: &rng)))
            }
            let (one, two, three) = (places[0], places[1], places[2])
            let distance = one.metres(to: two)
            #expect(abs(distance - two.metres(to: one)) < 0.001)
            #expect((0...Self.half + 1).contains(distance))
            #expect(distance <= one.metres(to: three) + three.metres(to: two) + 0.01)
            if let bearing = one.bearing(to: two) { #expect((0..<360).contains(bearing)) }
        }
    }

    @Test func eightWinds() {
        let winds: [(Double, Wind)] = [
            (0, .north), (22.4, .north), (22.6, .northEast), (45, .northEast), (90, .east), (135, .southEast),
            (180, .south), (225, .southWest), (270, .west), (315, .northWest), (337.4, .northWest), (337.6, .north),
            (359.9, .north),
        ]
        for (bearing, wind) in winds { #expect(Wind(bearing: bearing) == wind, "\(bearing)") }
        #expect(Wind.northEast.rawValue == "north-east")
    }
}
