import Testing
import TourCrypto
import TourModel
import TourNode

/// Goal: a file is cast once for those who want it, as far as that is known. Method: the counts and times alone.
@Suite struct FileCastsTests {
    private static let members = (0..<12 as Range<UInt8>).map { MemberID(raw: bytes($0)) }

    private static func bytes(_ number: UInt8) -> Bytes32 {
        Bytes32([UInt8](repeating: number, count: Bytes32.count)) ?? .zero
    }

    @Test func whoHasNoLinkToUsWantsAFileAsOftenAsTheOthers() {
        let hearers = Set(Self.members)
        let linked = Set(Self.members.prefix(4))
        #expect(FileCasts.wantingCount(hearers, linked, linked: linked, isLossy: false) == 12)
        #expect(FileCasts.wantingCount(hearers, Set(Self.members.prefix(1)), linked: linked, isLossy: false) == 1 + 2)
        #expect(FileCasts.wantingCount(hearers, [], linked: linked, isLossy: false) == 0)
        #expect(FileCasts.wantingCount(hearers, [], linked: [], isLossy: false) == 0, "nobody says anything")
        // Who wants it and does not hear us gets it by link.
        #expect(
            FileCasts.wantingCount(
                Set(Self.members.suffix(8)), Set(Self.members.prefix(4)), linked: linked, isLossy: false) == 0)
    }

    @Test func whereMuchIsLostHalfOfThemSpeakForAll() {
        let linked = Set(Self.members.prefix(6))
        func count(_ wanting: Int) -> Int {
            FileCasts.wantingCount(
                Set(Self.members), Set(Self.members.prefix(wanting)), linked: linked, isLossy: true)
        }
        #expect(count(3) == 12 && count(6) == 12)
        #expect(count(2) == 2 + 2 && count(0) == 0)
    }

    @Test func aFileIsConsideredOnceInHalfAMinute() {
        let casts = ConsideredCasts()
        let file = BlobID(raw: Self.bytes(1))
        let other = BlobID(raw: Self.bytes(2))
        let start = Instant(microseconds: 1_000_000)
        #expect(casts.consider(file, at: start))
        #expect(!casts.consider(file, at: start + .milliseconds(29_999)))
        #expect(casts.consider(other, at: start + .milliseconds(29_999)))
        #expect(casts.consider(file, at: start + .seconds(30)))
    }

    /// Keys are derived for each member and file: only when one of them changed.
    @Test func aReceiverIsGivenNewKeysAndMembersOnly() {
        let segment = CastSegment()
        #expect(segment.listens(with: 1, to: [Self.members[0]]))
        #expect(!segment.listens(with: 1, to: [Self.members[0]]))
        #expect(segment.listens(with: 2, to: [Self.members[0]]))
        #expect(segment.listens(with: 2, to: []))
    }
}
