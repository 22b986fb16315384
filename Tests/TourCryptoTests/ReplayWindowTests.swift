import Testing
import TourCrypto

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

    private static func datagram(_ number: Int) -> [UInt8] {
        [1] + (0..<24).map { UInt8(truncatingIfNeeded: $0 < 8 ? number >> (8 * $0) : 0) } + [9, 9, 9]
    }
}
