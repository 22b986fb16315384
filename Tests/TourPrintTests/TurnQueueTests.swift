import Testing
import TourPrint

/// Goal: many documents of one caller do not delay another's single one.
/// Method: queues that several fill, and the order in which they are emptied.
struct TurnQueueTests {
    @Test func callersTakeTurns() {
        var queue = TurnQueue<String>()
        for number in 1...4 { queue.append("many \(number)", of: "many") }
        let first = queue.next()
        queue.append("one 1", of: "one")
        queue.append("two 1", of: "two")
        queue.append("two 2", of: "two")
        var order = [first]
        while let next = queue.next() { order.append(next) }
        #expect(order == ["many 1", "many 2", "one 1", "two 1", "many 3", "two 2", "many 4"])
        let end = queue.next()
        #expect(end == nil)
    }

    @Test func whoComesAgainComesBehindThoseWhoWait() {
        var queue = TurnQueue<Int>()
        queue.append(1, of: "a")
        queue.append(2, of: "b")
        let first = queue.next()
        queue.append(3, of: "a")
        let rest = [queue.next(), queue.next(), queue.next()]
        #expect(first == 1 && rest == [2, 3, nil])
    }
}
