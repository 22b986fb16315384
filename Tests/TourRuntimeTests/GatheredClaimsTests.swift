import Testing
import TourGossip
import TourModel
import TourRuntime
import TourWire

/// Goal: rows that wait to be checked stay few, each once, by where they came from. Method: the list alone.
@Suite struct GatheredClaimsTests {
    private static func claim(_ counter: UInt64, signature: UInt8 = 0) -> HeardClaim {
        let claim = FrontierClaim(
            member: MemberID(raw: .zero), counter: counter, heads: [], whole: nil, readThrough: nil)
        let row = ClaimRow(row: claim.encode(), signature: [UInt8](repeating: signature, count: 64), hops: 0)
        return HeardClaim(claim: claim, row: row)
    }

    @Test func aRowThatComesTwiceIsCheckedOnce() {
        var gathered = GatheredClaims()
        let isFirst = [
            gathered.add([Self.claim(1)], .mailbox),
            gathered.add([Self.claim(1), Self.claim(2)], .mailbox),
            gathered.add([Self.claim(2, signature: 1)], .mailbox),
        ]
        #expect(isFirst == [true, false, false], "somebody comes for all of them, once")
        let groups = gathered.drain()
        #expect(groups.count == 1)
        #expect(
            groups.first?.claims == [Self.claim(1), Self.claim(2), Self.claim(2, signature: 1)], "one of two is forged")
        let isFirstAgain = [gathered.add([], .mailbox), gathered.add([Self.claim(1)], .mailbox)]
        #expect(isFirstAgain == [false, true], "nothing is left of what was taken")
    }

    @Test func theyKeepTheirOriginAndTheirOrder() {
        var gathered = GatheredClaims()
        _ = gathered.add([Self.claim(1)], .mailbox)
        _ = gathered.add([Self.claim(2)], .link(LinkID(value: 4)))
        _ = gathered.add([Self.claim(3)], .link(LinkID(value: 4)))
        _ = gathered.add([Self.claim(4)], .mailbox)
        let groups = gathered.drain()
        #expect(groups.map(\.origin) == [.mailbox, .link(LinkID(value: 4)), .mailbox])
        #expect(groups.map { $0.claims.map(\.claim.counter) } == [[1], [2, 3], [4]])
    }

    @Test func theyDoNotGrow() {
        var gathered = GatheredClaims()
        for counter in 1..<UInt64(GatheredClaims.rowsMax) { _ = gathered.add([Self.claim(counter)], .mailbox) }
        #expect(!gathered.isFull)
        _ = gathered.add([Self.claim(1_000)], .mailbox)
        #expect(gathered.isFull)
    }
}
