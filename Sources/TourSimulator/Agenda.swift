import TourModel

/// Planned actions by time; actions of one time run in the order in which they were planned.
struct Agenda<Action> {
    private struct Entry {
        let time: Instant
        let order: UInt64
        let action: Action

        func precedes(_ other: Entry) -> Bool {
            time == other.time ? order < other.order : time < other.time
        }
    }

    private var heap = [Entry]()
    private var nextOrder: UInt64 = 0

    var nextTime: Instant? { heap.first?.time }

    mutating func plan(_ action: Action, at time: Instant) {
        heap.append(Entry(time: time, order: nextOrder, action: action))
        nextOrder += 1
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func next() -> (time: Instant, action: Action)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return (first.time, first.action) }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].precedes(heap[least]) { least = child }
            }
            guard least != parent else { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return (first.time, first.action)
    }
}
