import Testing
import TourModel
import TourWire

/// Goal: position rows come back as they were, and what nobody may sign is refused. Method: values at and over each
/// bound, and bytes drawn at random.
struct PositionClaimTests {
    private static let member = MemberID(raw: Samples.bytes32(9))
    private static let counter: UInt64 = 1_767_261_600_000_000
    private static let signedAt: Int64 = 1_767_261_600_000

    private static func decode(_ bytes: [UInt8]) throws(WireError) -> PositionClaim? {
        try PositionClaim.decode(bytes) { $0 == member.prefix ? member : nil }
    }

    private static func claim(until: Int64, fixedAt: Int64?, counter: UInt64 = counter) -> PositionClaim? {
        let fix = Fix(Samples.fix.coordinate, accuracyMetres: 3, fixedAt: fixedAt)
        return PositionClaim(member: member, counter: counter, until: until, fix: fix)
    }

    @Test func rowsComeBack() throws {
        let moving = try #require(Self.claim(until: Self.signedAt + 1, fixedAt: Self.signedAt))
        let still = PositionClaim(member: Self.member, counter: Self.counter, until: 1, fix: nil)
        for claim in [moving, try #require(still)] {
            #expect(try Self.decode(claim.encode()) == claim)
            #expect(claim.encode().count <= 64)
        }
        #expect(try PositionClaim.decode(moving.encode()) { _ in nil } == nil)
    }

    @Test func endsAndTimesHaveBounds() {
        let day = Limits.sharingMillisecondsMax
        #expect(Self.claim(until: Self.signedAt + day, fixedAt: 1) != nil)
        #expect(Self.claim(until: Self.signedAt + day + 1, fixedAt: 1) == nil)
        #expect(Self.claim(until: 0, fixedAt: 1) == nil)
        #expect(Self.claim(until: .max, fixedAt: 1, counter: .max) == nil)
        #expect(Self.claim(until: 1, fixedAt: 1, counter: 0) == nil)
        let lead = Limits.fixLeadMillisecondsMax
        #expect(Self.claim(until: Self.signedAt, fixedAt: Self.signedAt + lead) != nil)
        #expect(Self.claim(until: Self.signedAt, fixedAt: Self.signedAt + lead + 1) == nil)
        #expect(Self.claim(until: Self.signedAt, fixedAt: nil) == nil)
    }

    @Test func longRowsAreRefused() throws {
        let row = try #require(Self.claim(until: Self.signedAt + 1, fixedAt: Self.signedAt)).encode()
        let room = Limits.positionRowBytesMax - row.count - 4
        let full = row + [0xF2, 0x01, UInt8(room & 0x7F) | 0x80, UInt8(room >> 7)] + [UInt8](repeating: 0, count: room)
        #expect(try Self.decode(full) != nil)
        #expect(throws: WireError.recordMalformed) { try Self.decode(full + [0]) }
        #expect(throws: WireError.recordMalformed) { try Self.decode([]) }
    }

    @Test func readingIsTotal() throws {
        var rng = SplitMix64(seed: 3)
        let row = try #require(Self.claim(until: Self.signedAt + 1, fixedAt: Self.signedAt)).encode()
        for _ in 0..<5_000 {
            var bytes = row
            for _ in 0..<Int.random(in: 1...3, using: &rng) {
                bytes[Int.random(in: bytes.indices, using: &rng)] = UInt8.random(in: 0...255, using: &rng)
            }
            if let claim = try? Self.decode(bytes) { #expect(try Self.decode(claim.encode()) == claim) }
        }
    }
}
