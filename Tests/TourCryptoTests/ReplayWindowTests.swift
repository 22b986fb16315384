import Testing
import TourCrypto
import TourModel

/// Goal: a datagram that comes again is known, in bounded memory.
/// Method: datagrams that differ in their nonces only, more than are remembered.
@Suite struct ReplayWindowTests {
    @Test func onceIsNewTwiceIsNot() {
        var window = ReplayWindow()
        let answers = [1, 2, 1, 2].map { window.insert(Self.datagram($0)) }
        #expect(answers == [true, true, false, false])
    }

    @Test func askingRemembersNothing() {
        var window = ReplayWindow()
        let before = window.contains(Self.datagram(1))
        let isNew = window.insert(Self.datagram(1))
        #expect(!before && isNew)
        #expect(window.contains(Self.datagram(1)) && !window.contains(Self.datagram(2)))
    }

    @Test func theLastAreRemembered() {
        var window = ReplayWindow()
        let many = ReplayWindow.count * 3
        let areNew = (0..<many).allSatisfy { window.insert(Self.datagram($0)) }
        let first = many - ReplayWindow.count
        let areKnown = (first..<many).allSatisfy { !window.insert(Self.datagram($0)) }
        let isForgotten = window.insert(Self.datagram(first - 1))
        #expect(areNew && areKnown && isForgotten)
    }

    /// One in five comes a second time, up to 2,047 places later: each is read once.
    @Test func aMillionAreReadOnceEach() {
        var rng = SplitMix64(seed: 1)
        var window = ReplayWindow()
        var sent = 0
        var read = 0
        var again = 0
        for place in 0..<1_000_000 {
            let isRepeat = place % 5 == 4
            let back = isRepeat ? 1 + Int.random(in: 0..<min(2_047, sent), using: &rng) : 0
            let isNew = window.insert(Self.datagram(sent - back))
            if !isRepeat { sent += 1 }
            if isNew { read += 1 }
            if isNew, isRepeat { again += 1 }
        }
        #expect(sent == 800_000)
        #expect(read == sent && again == 0)
    }

    private static func datagram(_ number: Int) -> [UInt8] {
        [1] + (0..<24).map { UInt8(truncatingIfNeeded: $0 < 8 ? number >> (8 * $0) : 0) } + [9, 9, 9]
    }
}
