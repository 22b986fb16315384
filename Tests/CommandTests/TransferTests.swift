import Testing
import TourClient
import TourWords

/// Goal: the line of a transfer tells how far it is, truly, and fits its terminal.
/// Method: instants of the test's own making; lines of every width.
struct TransferTests {
    private static let start = ContinuousClock.now

    /// After so many bytes at so many milliseconds each.
    private static func rate(_ samples: [(Int, UInt64)]) -> UInt64? {
        var rate = TransferRate()
        for (milliseconds, done) in samples { rate.add(done, at: start + .milliseconds(milliseconds)) }
        return rate.bytesPerSecond
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_000, "1 kB"), (65_536, "65 kB"), (999_999, "999 kB"), (1_000_000, "1.0 MB"),
        (5_242_880, "5.2 MB"), (999_999_999, "999.9 MB"), (1 << 30, "1.0 GB"), (UInt64.max, "18446744073.7 GB"),
    ])
    func bytesAreShownInThousands(bytes: UInt64, text: String) {
        #expect(ByteCount.shown(bytes).english == text)
    }

    @Test func aRateNeedsHalfASecond() {
        #expect(Self.rate([]) == nil)
        #expect(Self.rate([(0, 0)]) == nil)
        #expect(Self.rate([(0, 0), (499, 1_000)]) == nil)
        #expect(Self.rate([(0, 0), (500, 1_000)]) == 2_000)
    }

    @Test func aRateIsThatOfTheLastThreeSeconds() {
        var samples: [(Int, UInt64)] = []
        for half in 0...10 { samples.append((half * 500, UInt64(half) * 1_000_000)) }
        #expect(Self.rate(samples) == 2_000_000)
        for half in 1...10 { samples.append((5_000 + half * 500, 10_000_000 + UInt64(half) * 1_000)) }
        #expect(Self.rate(samples) == 2_000)
        samples.append((13_000, 10_010_000))
        #expect(Self.rate(samples) == 0)
    }

    @Test func manySmallStepsMakeTheSameRate() {
        var steps: [(Int, UInt64)] = []
        for step in 0...10_000 { steps.append((step, UInt64(step) * 500)) }
        #expect(Self.rate(steps) == 500_000)
    }

    @Test func whatBeginsAgainIsMeasuredAgain() {
        #expect(Self.rate([(0, 0), (1_000, 9_000_000), (1_100, 0), (2_100, 4_000)]) == 4_000)
    }

    private static func line(
        _ done: UInt64, _ total: UInt64, peers: Int = 3, rate: UInt64? = 1_400_000, title: String = "photo.jpg",
        columns: Int = 100
    ) -> String {
        TransferLine(title: title, done: done, total: total, peers: peers, bytesPerSecond: rate)
            .text(columns: columns, in: .english)
    }

    @Test func aWideLineSaysAll() {
        #expect(
            Self.line(2_600_000, 5_000_000)
                == "photo.jpg  ███████████████░░░░░░░░░░░░░░░  52 %  2.6 MB of 5.0 MB  1.4 MB/s  3 peers  2 s left")
        #expect(Self.line(0, 5_000_000, peers: 0, rate: nil).hasSuffix("░  0 %  0 B of 5.0 MB  no peers"))
        #expect(Self.line(1, 5_000_000, peers: 1, rate: 0).hasSuffix("░  0 %  1 B of 5.0 MB  0 B/s  1 peer"))
        #expect(Self.line(1, 1_000_000_000, rate: 1_000_000).hasSuffix("16 min left"))
    }

    @Test func aHundredIsAllOfIt() {
        #expect(Self.line(.max - 1, .max).contains("░  99 %  "))
        #expect(Self.line(5_000_000, 5_000_000).hasSuffix("█  100 %  5.0 MB  1.4 MB/s  3 peers"))
        #expect(Self.line(9, 5).contains("█  100 %  5 B"))
        #expect(Self.line(0, 0).contains("█  100 %  0 B"))
    }

    @Test func aNarrowLineKeepsWhatMattersMost() {
        #expect(
            Self.line(2_600_000, 5_000_000, columns: 60)
                == "photo.jpg  ███████████░░░░░░░░░░░░  52 %  1.4 MB/s  2 s left")
        #expect(Self.line(2_600_000, 5_000_000, columns: 25) == "photo.jpg  ████░░░░  52 %")
        #expect(Self.line(2_600_000, 5_000_000, columns: 20) == "photo.jpg  52 %")
        #expect(Self.line(2_600_000, 5_000_000, columns: 12) == "photo…  52 %")
        #expect(Self.line(2_600_000, 5_000_000, columns: 3) == "52…")
    }

    @Test(arguments: ["a", "photo.jpg", "日本語の写真の名前はとても長い.jpg", String(repeating: "x", count: 255), ""])
    func everyLineFits(title: String) {
        for columns in 0...200 {
            for done in [0, 1, 999_999_999, 1_000_000_000] as [UInt64] {
                let line = Self.line(done, 1_000_000_000, peers: 12, rate: 77_777, title: title, columns: columns)
                #expect(DisplayWidth.of(line) <= columns, "\(columns): \(line)")
            }
        }
    }

    @Test func aNameCannotDriveTheTerminal() {
        let line = Self.line(1, 2, title: "a\u{1B}[2J\n\u{202E}b")
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }

    @Test func colourTakesNoRoom() {
        let state = TransferLine(title: "a", done: 1, total: 2, peers: 1, bytesPerSecond: nil)
        let colored = state.text(columns: 60, isColored: true, in: .english)
        #expect(colored.contains("\u{1B}[36m█"))
        #expect(
            colored.replacing("\u{1B}[36m", with: "").replacing("\u{1B}[0m", with: "")
                == state.text(columns: 60, in: .english))
    }
}
