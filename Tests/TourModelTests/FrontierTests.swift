import Testing
import TourModel

/// Goal: what a node says that it has only grows, and merging does not depend on order. Method: small examples.
struct FrontierTests {
    private let anna = MemberID(raw: Bytes32([UInt8](repeating: 1, count: 32))!)
    private let ben = MemberID(raw: Bytes32([UInt8](repeating: 2, count: 32))!)

    @Test func headsOnlyGrow() {
        var frontier = Frontier()
        #expect(frontier[anna] == 0)
        frontier.raise(anna, to: 5)
        frontier.raise(anna, to: 3)
        #expect(frontier[anna] == 5)
        frontier.raise(anna, to: 6)
        #expect(frontier[anna] == 6)
    }

    @Test func anAuthorWithNothingIsNotListed() {
        var frontier = Frontier([anna: 0, ben: 1])
        frontier.raise(anna, to: 0)
        #expect(frontier.heads == [ben: 1])
        #expect(frontier == Frontier([ben: 1]))
    }

    @Test func mergeIsTheMaximumInAnyOrder() {
        let left = Frontier([anna: 4, ben: 1])
        let right = Frontier([anna: 2, ben: 9])
        var merged = left
        merged.merge(right)
        var reversed = right
        reversed.merge(left)
        #expect(merged == Frontier([anna: 4, ben: 9]))
        #expect(reversed == merged)
        merged.merge(left)
        #expect(merged == reversed)
    }
}
