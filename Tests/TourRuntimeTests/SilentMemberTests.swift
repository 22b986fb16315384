import Testing
import TourModel
import TourRuntime
import TourWire

/// Goal: members who say nothing cost nobody anything, however many they are, and statuses stay exact.
/// Method: a board with hundreds of them that counts its searches in the store, and one that is compared with the rule
/// applied to each pair of member and author.
@Suite struct SilentMemberTests {
    /// Every member but the first was admitted by the one before it, and wrote one event.
    private struct Crowd {
        let members: [MemberID]
        var board: ReceiptState
        /// The clocks of each log.
        var logs: [MemberID: [UInt64]]

        init(_ count: UInt64) {
            members = (1...count).map(SilentMemberTests.member)
            board = ReceiptState(own: members[0], marks: [:])
            logs = Dictionary(
                uniqueKeysWithValues: members.enumerated().map { ($0.element, [UInt64($0.offset) * 10 + 5]) })
            let admissions = members.enumerated().map { ($0.element, LogicalClock(value: UInt64($0.offset) * 10)) }
            board.recordMembers(Dictionary(uniqueKeysWithValues: admissions), people: Set(members))
        }

        mutating func refresh() -> Int {
            let logs = logs
            var count = 0
            _ = board.refresh(authors: logs.mapValues { UInt64($0.count) }) { author, above, clock in
                count += 1
                return logs[author]?.dropFirst(Int(above)).firstIndex { $0 >= clock.value }.map { UInt64($0) + 1 }
            }
            return count
        }

        mutating func claim(_ member: MemberID, _ heads: [MemberID: UInt64], read: UInt64? = nil) {
            board.record(heads.map { PrefixedHead(prefix: $0.key.prefix, sequence: $0.value) }, of: member, at: 1)
            if let read { board.recordRead(LogicalClock(value: read), by: member, at: 1) }
        }
    }

    private static func member(_ number: UInt64) -> MemberID {
        var bytes = [UInt8]()
        for _ in 0..<4 { bytes.append(bigEndian: number) }
        return MemberID(bytes) ?? MemberID(raw: .zero)
    }

    @Test func threeHundredWhoSayNothingAreSearchedForOnce() {
        var crowd = Crowd(300)
        // Two for each log: who must have it from its first event, and what somebody has not read.
        let first = crowd.refresh()
        #expect(first <= 2 * crowd.members.count)
        for _ in 0..<5 {
            let again = crowd.refresh()
            #expect(again <= 1, "of our own log alone, which nobody has yet")
        }
        // One of them writes; nobody claims it.
        crowd.logs[crowd.members[150]]?.append(5_000)
        let written = crowd.refresh()
        #expect(written <= 2)
        // One of them claims all there is, and has read it.
        crowd.claim(crowd.members[7], crowd.logs.mapValues { UInt64($0.count) }, read: 9_000)
        let claimed = crowd.refresh()
        #expect(claimed <= 10)
    }

    /// The rule itself: a member must have what was written since its admission.
    private static func delivered(
        _ author: MemberID, _ crowd: Crowd, _ claims: [MemberID: [MemberID: UInt64]]
    ) -> UInt64 {
        let log = crowd.logs[author] ?? []
        let through = crowd.members.enumerated().map { place, member in
            let needed = log.firstIndex { $0 >= UInt64(place) * 10 }
            guard member != author, place > 0, let needed else { return log.count }
            return min(log.count, max(needed, Int(claims[member]?[author] ?? 0)))
        }
        return UInt64(through.min() ?? 0)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func statusesAreThoseOfTheRule(_ seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        var crowd = Crowd(12)
        var claims = [MemberID: [MemberID: UInt64]]()
        var reached = [MemberID: UInt64]()
        for step in 1...120 as ClosedRange<UInt64> {
            let author = crowd.members[Int(rng.next() % 12)]
            if rng.next() % 3 == 0 {
                let last = crowd.logs[author]?.last ?? 0
                crowd.logs[author]?.append(last + 1 + rng.next() % 40)
            } else {
                let member = crowd.members[Int(1 + rng.next() % 11)]
                let count = UInt64(crowd.logs[author]?.count ?? 0)
                let has = max(claims[member]?[author] ?? 0, rng.next() % (count + 1))
                claims[member, default: [:]][author] = has
                if has > 0 { crowd.claim(member, [author: has]) }
            }
            _ = crowd.refresh()
            for author in crowd.members.dropFirst() {
                // A mark never falls: whoever wrote on has new messages behind it.
                reached[author] = max(reached[author] ?? 0, Self.delivered(author, crowd, claims))
                #expect(crowd.board.marks[author]?.deliveredThrough ?? 0 == reached[author], "step \(step)")
            }
        }
    }
}
