import Testing
import TourModel
import TourNode

/// Goal: files go through the server when nobody near has them, and each goes there once. Method: the choice alone, on
/// times made up.
struct OnlineFilesTests {
    private static let start = Instant(microseconds: 1_000_000_000)

    private static func candidate(
        _ number: UInt8, size: UInt64 = 100_000, isOwn: Bool = false, isComplete: Bool = false, waiting: Instant? = nil
    ) -> OnlineFiles.Candidate {
        guard let id = BlobID([UInt8](repeating: number, count: 32)), let shape = BlobShape(size: size) else {
            preconditionFailure("a file of this size")
        }
        return OnlineFiles.Candidate(
            id: id, shape: shape, isOwn: isOwn, isComplete: isComplete, waitingSince: waiting)
    }

    private var rng = SplitMix64(seed: 3)
    private var files = OnlineFiles()

    @Test mutating func whatIsWantedHereComesFirstOncePeersHadTheirTime() {
        let wanted = Self.candidate(1, waiting: Self.start)
        let own = Self.candidate(2, isOwn: true, isComplete: true)
        let soon = Self.start + .seconds(4)
        #expect(files.next([wanted], now: soon, using: &rng) == nil, "peers may offer it still")
        #expect(files.next([wanted, own], now: soon, using: &rng) == .upload(own.id))
        #expect(files.next([wanted, own], now: Self.start + .seconds(5), using: &rng) == .download(wanted.id))
        #expect(files.next([Self.candidate(3)], now: soon, using: &rng) == nil, "peers offer it, or it is not wanted")
    }

    @Test mutating func othersLeaveItToTheAuthorForAWhile() {
        let other = Self.candidate(1, isComplete: true)
        #expect(files.next([other], now: Self.start, using: &rng) == nil)
        #expect(files.next([other], now: Self.start + .seconds(19), using: &rng) == nil)
        #expect(files.next([other], now: Self.start + .seconds(121), using: &rng) == .upload(other.id))
    }

    @Test mutating func nothingIsDoneTwiceAndFailuresRest() {
        let own = Self.candidate(1, isOwn: true, isComplete: true)
        files.record(.failed, of: .upload(own.id), now: Self.start)
        #expect(files.next([own], now: Self.start + .seconds(59), using: &rng) == nil)
        #expect(files.next([own], now: Self.start + .seconds(60), using: &rng) == .upload(own.id))
        files.record(.refused, of: .upload(own.id), now: Self.start)
        #expect(files.next([own], now: Self.start + .seconds(3_599), using: &rng) == nil)
        files.record(.there, of: .upload(own.id), now: Self.start)
        #expect(files.next([own], now: Self.start + .seconds(9_000), using: &rng) == nil)
        #expect(files.there == [own.id])
        let wanted = Self.candidate(2, waiting: Self.start)
        files.record(.notThere, of: .download(wanted.id), now: Self.start)
        #expect(files.next([wanted], now: Self.start + .seconds(29), using: &rng) == nil)
        #expect(files.next([wanted], now: Self.start + .seconds(30), using: &rng) == .download(wanted.id))
    }

    @Test mutating func whatIsTooLongOrEmptyIsLeftToLinks() {
        let files = [
            Self.candidate(1, size: 0, isOwn: true, isComplete: true),
            Self.candidate(2, size: 64 << 20, isOwn: true, isComplete: true),
        ]
        #expect(self.files.next(files, now: Self.start, using: &rng) == nil)
    }
}
