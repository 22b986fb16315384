import Testing
import TourDiscovery

// Goal: first in, first out, with departures from the middle. Method: by hand, then a long run that must stay small.
@Suite struct KeyQueueTests {
    private func key(_ index: Int) -> ServiceKey { ServiceKey(instance: "n\(index)", interface: 2, isIPv6: true) }

    @Test func orderAndDepartures() {
        var queue = KeyQueue()
        for index in 0..<5 { queue.append(key(index)) }
        queue.append(key(0))
        let removals = [queue.remove(key(2)), queue.remove(key(2))]
        #expect(removals == [true, false])
        queue.append(key(2))
        #expect(queue.count == 5)
        var order = (0..<2).map { _ in queue.popFirst() }
        order += (0..<4).map { _ in queue.popLast() }
        #expect(order == [key(0), key(1), key(2), key(4), key(3), nil])
        #expect(queue.isEmpty)
    }

    @Test func aLongRunKeepsOrder() {
        var queue = KeyQueue()
        for index in 0..<50_000 {
            queue.append(key(index))
            if index >= 10 { queue.remove(key(index - 10)) }
        }
        #expect(queue.count == 10)
        let ends = [queue.popFirst(), queue.popLast()]
        #expect(ends == [key(49_990), key(49_999)])
    }
}
