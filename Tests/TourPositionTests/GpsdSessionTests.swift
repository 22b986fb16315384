import Testing
import TourModel
import TourPosition

/// Goal: what gpsd says is read for what it is, and nothing is made up. Method: lines as gpsd 3.22 writes them, bent
/// ones, and bytes drawn at random.
struct GpsdSessionTests {
    static let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
    static let wall: Int64 = 1_767_261_600_000  // 2026-01-01T10:00:00Z

    private static func report(_ line: String) -> GpsdReport? { GpsdReport(Array(line.utf8)) }

    private static func session(_ lines: String...) throws -> (GpsdSession, Reading?) {
        var session = GpsdSession(.usual)
        var last: Reading?
        for line in lines { last = try session.receive(Array(line.utf8), wallMilliseconds: wall) }
        return (session, last)
    }

    @Test func aFixKeepsItsAccuracyAndItsTime() throws {
        let line = """
            {"class":"TPV","device":"/dev/pts/1","mode":3,"time":"2026-01-01T09:59:59.500Z","ept":0.005,\
            "lat":48.858400000,"lon":2.294500000,"altHAE":61.0,"epx":3.0,"epy":4.0,"eph":12.3,"speed":0.1}
            """
        let (_, reading) = try Self.session(Self.version, line)
        let place = try #require(Coordinate(degreesNorth: 48.8584, degreesEast: 2.2945))
        #expect(reading == Fix(place, accuracyMetres: 13, fixedAt: Self.wall - 500).map(Reading.fix))
    }

    @Test func directionsMakeTheAccuracyWhereTheWholeIsMissing() {
        let line = #"{"class":"TPV","mode":2,"lat":1.5,"lon":-2,"epx":3.0,"epy":4.0}"#
        let place = Coordinate(latitude: 15_000_000, longitude: -20_000_000)
        let wanted = place.map { GpsdReport.position(.init(coordinate: $0, accuracyMetres: 5, fixedAt: nil)) }
        #expect(Self.report(line) == wanted)
        let bare = place.map { GpsdReport.position(.init(coordinate: $0, accuracyMetres: 0, fixedAt: nil)) }
        #expect(Self.report(#"{"class":"TPV","mode":2,"lat":1.5,"lon":-2,"epx":3.0}"#) == bare)
    }

    @Test func withoutAFixThereIsNone() throws {
        for line in [
            #"{"class":"TPV","mode":0,"lat":1,"lon":2}"#, #"{"class":"TPV","mode":1}"#, #"{"class":"TPV"}"#,
        ] {
            let (_, reading) = try Self.session(Self.version, line)
            #expect(reading == .nothing(.noFix))
        }
    }

    @Test func whatIsMissingIsNamed() throws {
        #expect(GpsdSession(.usual).fault == .unreachable(.usual))
        let (greeted, silent) = try Self.session(Self.version)
        #expect(greeted.fault == .noReceiver && silent == nil)
        #expect(try Self.session(Self.version, #"{"class":"DEVICES","devices":[]}"#).1 == .nothing(.noReceiver))
        let device = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyS0"}]}"#
        #expect(try Self.session(Self.version, device).1 == .nothing(.noFix))
        let gone = #"{"class":"DEVICE","path":"/dev/ttyS0","activated":0}"#
        #expect(try Self.session(Self.version, device, gone).1 == .nothing(.noReceiver))
        let here = #"{"class":"DEVICE","path":"/dev/ttyS0","activated":"2026-01-01T10:00:00.000Z"}"#
        #expect(try Self.session(Self.version, here).1 == .nothing(.noFix))
        #expect(throws: PositionFault.notGpsd(.usual)) { try Self.session("SSH-2.0-OpenSSH_9.2") }
        #expect(throws: PositionFault.notGpsd(.usual)) { try Self.session(#"{"class":"TPV","mode":3}"#) }
    }

    @Test func aFixOfAnotherTimeIsNoneOfNow() throws {
        let old = #"{"class":"TPV","mode":3,"time":"2008-09-04T01:00:00.000Z","lat":1,"lon":2}"#
        guard case .nothing(.timeApart(let seconds)) = try Self.session(Self.version, old).1 else {
            Issue.record("an old fix was taken")
            return
        }
        #expect(seconds > 86_400 * 365)
        // Without a time it came just now.
        let timeless = #"{"class":"TPV","mode":3,"lat":1,"lon":2}"#
        let place = Coordinate(latitude: 10_000_000, longitude: 20_000_000)
        let now = place.flatMap { Fix($0, fixedAt: Self.wall) }.map(Reading.fix)
        #expect(try Self.session(Self.version, timeless).1 == now)
    }

    @Test(arguments: [
        #"{"class":"TPV","mode":3,"lat":91,"lon":2}"#, #"{"class":"TPV","mode":3,"lat":1,"lon":-181}"#,
        #"{"class":"TPV","mode":3,"lat":1}"#, #"{"class":"TPV","mode":3,"lat":"1","lon":2}"#,
        #"{"class":"TPV","mode":"3","lat":1,"lon":2}"#, #"{"class":"TPV","mode":3,"lat":1,"lon":2,"time":"noon"}"#,
        #"{"class":"TPV","mode":3,"lat":1e999,"lon":2}"#, #"{"mode":3,"lat":1,"lon":2}"#, "[]", "", "{", "null",
    ])
    func whatIsNoReportIsSkipped(line: String) throws {
        #expect(Self.report(line) == nil)
        #expect(try Self.session(Self.version, line).1 == nil)
    }

    @Test func errorsAreClamped() {
        let far = #"{"class":"TPV","mode":2,"lat":0,"lon":0,"eph":1e300}"#
        let none = #"{"class":"TPV","mode":2,"lat":0,"lon":0,"eph":-5}"#
        guard case .position(let wide?) = Self.report(far), case .position(let unknown?) = Self.report(none) else {
            Issue.record("no position")
            return
        }
        #expect(wide.accuracyMetres == Fix.accuracyMax)
        #expect(unknown.accuracyMetres == 0)
    }

    @Test func readingIsTotal() {
        var rng = SplitMix64(seed: 11)
        let sample = Array(#"{"class":"TPV","mode":3,"lat":1.5,"lon":2,"time":"2026-01-01T10:00:00Z","eph":3}"#.utf8)
        for _ in 0..<2_000 {
            var bytes = sample
            for _ in 0..<Int.random(in: 1...4, using: &rng) {
                bytes[Int.random(in: bytes.indices, using: &rng)] = UInt8.random(in: 0...255, using: &rng)
            }
            _ = GpsdReport(bytes)
        }
    }

    @Test func linesAreBounded() throws {
        var lines = BoundedLines()
        #expect(try lines.add("ab\nc".utf8) == [Array("ab".utf8)])
        #expect(try lines.add("d\n\n".utf8) == [Array("cd".utf8), []])
        _ = try lines.add([UInt8](repeating: 0x20, count: BoundedLines.bytesMax))
        #expect(throws: BoundedLines.TooLong.self) { try lines.add([0x20]) }
    }
}
