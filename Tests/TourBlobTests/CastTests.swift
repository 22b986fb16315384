import Testing
import TourBlob
import TourModel

/// Goal: a file that many want crosses the network once, and what is lost of it costs what theory says and little more.
/// Method: 5 MB to 8 and to 20 who lose datagrams by chance, over a link of 20 Mbit/s in virtual time; Ethernet, IP and
/// UDP headers and all asks are counted; seeds are fixed.
struct CastTests {
    struct Run: CustomTestStringConvertible, Sendable {
        let listeners: Int
        let lossPerMille: Int
        let seed: UInt64
        let shareMax: Double
        let copiesMax: Double

        var testDescription: String { "\(listeners) listeners, \(lossPerMille) of 1,000 lost, seed \(seed)" }
    }

    static let runs: [Run] = [8, 20].flatMap { listeners in
        [(0, 1.1, 1.3), (100, 1.4, 1.7), (300, 2.0, 2.4)].flatMap { loss, share, copies in
            (1...2).map { Run(listeners: listeners, lossPerMille: loss, seed: $0, shareMax: share, copiesMax: copies) }
        }
    }

    @Test(arguments: runs) func everybodyHasItInTime(run: Run) {
        var network = CastNetwork(
            bytes: 5_000_000, listeners: run.listeners, lossPerMille: run.lossPerMille, seed: run.seed)
        network.cast()
        network.run()
        #expect(network.listeners.allSatisfy { $0.doneAt != nil && $0.ends == [.done] })
        #expect(network.share <= run.shareMax, "\(network.share) bytes for one of the file")
        #expect(network.copies <= run.copiesMax, "\(network.copies) times as long as one copy")
        #expect(network.casters[0].ends == [.done])
    }

    /// The link is full all the time: 82 % of it and more is file.
    @Test func aCleanLinkIsFull() {
        var network = CastNetwork(bytes: 5_000_000, listeners: 8, lossPerMille: 0, seed: 1)
        network.cast()
        network.run()
        #expect(1 / network.copies >= 0.82)
        #expect(network.asks == 0)
    }

    /// One who asks speaks for the others: of 20 who all miss something of each window few ask.
    @Test func mostStaySilent() {
        var network = CastNetwork(bytes: 5_000_000, listeners: 20, lossPerMille: 100, seed: 3)
        network.cast()
        network.run()
        let windows = (network.shape.chunkCount + Limits.castWindowBlocks - 1) / Limits.castWindowBlocks
        #expect(network.asks < 2 * 20 * windows, "\(network.asks) asks")
        #expect(network.asks >= windows)
    }

    @Test(arguments: [65_536, 65_537, 1_048_576, 1_100_000]) func everySizeArrives(size: Int) {
        var network = CastNetwork(bytes: UInt64(size), listeners: 8, lossPerMille: 50, seed: 4)
        network.cast()
        network.run()
        #expect(network.listeners.allSatisfy { $0.doneAt != nil })
    }

    @Test func aSlowLinkCarriesItToo() {
        var network = CastNetwork(
            bytes: 1_000_000, listeners: 8, lossPerMille: 100, seed: 5, linkBytesPerSecond: 125_000)
        network.cast()
        network.run()
        #expect(network.listeners.allSatisfy { $0.doneAt != nil })
        #expect(network.share <= 1.4)
        #expect(network.copies <= 1.8, "\(network.copies) times as long as one copy")
    }

    /// Where the link takes more, the rate is what is stated.
    @Test func aFastLinkIsNotFilled() {
        var network = CastNetwork(
            bytes: 5_000_000, listeners: 8, lossPerMille: 0, seed: 6, linkBytesPerSecond: 125_000_000)
        network.cast()
        network.run()
        let seconds = Double(network.listeners.compactMap(\.doneAt).max()?.microseconds ?? 0) / 1_000_000
        let rate = Double(network.bytes) / seconds
        #expect(rate <= Double(CastSender.rateMax) * 1.02, "\(rate) bytes a second")
        #expect(rate >= Double(CastSender.rateMax) * 0.95, "\(rate) bytes a second")
    }

    @Test func castsPayForMany() throws {
        let shape = try #require(BlobShape(size: 5_000_000))
        #expect(!CastRule.wantsCast(wanting: 6, of: shape))
        #expect(CastRule.wantsCast(wanting: 7, of: shape))
        let small = try #require(BlobShape(size: 65_535))
        #expect(!CastRule.wantsCast(wanting: 100, of: small))
    }
}
