import TourModel
import TourWire

/// What waits to be sent on one link, by lane; a lower lane overtakes a higher one between two slices.
struct Outbox {
    private var lanes: [[Slice]] = Array(repeating: [], count: Lane.allCases.count)
    private var heads = Array(repeating: 0, count: Lane.allCases.count)
    /// As it will be on the wire: padded, so that a queue of small messages is as bounded as one of large ones.
    private(set) var queuedBytes = 0

    var isEmpty: Bool { queuedBytes == 0 }

    mutating func add(_ message: LinkMessage) {
        let lane = message.lane
        for slice in Slice.slices(of: message.encode(), lane: lane) {
            lanes[Int(lane.rawValue)].append(slice)
            queuedBytes += Self.size(of: slice)
        }
    }

    /// The most urgent slice, or nil.
    mutating func next() -> Slice? {
        for lane in lanes.indices where heads[lane] < lanes[lane].count {
            let slice = lanes[lane][heads[lane]]
            heads[lane] += 1
            if heads[lane] == lanes[lane].count {
                lanes[lane].removeAll(keepingCapacity: true)
                heads[lane] = 0
            } else if heads[lane] > 256 {
                lanes[lane].removeFirst(heads[lane])
                heads[lane] = 0
            }
            queuedBytes -= Self.size(of: slice)
            return slice
        }
        return nil
    }

    private static func size(of slice: Slice) -> Int { Padding.size(slice.payload.count + Slice.prefixLength) }
}
