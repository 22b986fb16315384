import TourModel
import TourWire

/// The messages queued on one link, by lane; a lower lane overtakes a higher one between two slices.
struct Outbox {
    private var lanes: [[Slice]] = Array(repeating: [], count: Lane.allCases.count)
    private var heads = Array(repeating: 0, count: Lane.allCases.count)
    private var laneBytes = Array(repeating: 0, count: Lane.allCases.count)

    /// The queued bytes of lanes at least this urgent, as they will be on the wire: padded, so that the bound holds for
    /// a queue of small messages as for one of large ones.
    func queuedBytes(through last: Lane) -> Int { laneBytes[...Int(last.rawValue)].reduce(0, +) }

    func queuedBytes(in lane: Lane) -> Int { laneBytes[Int(lane.rawValue)] }

    /// The size of the lane's next slice; 0 where there is none.
    func nextBytes(in lane: Lane) -> Int {
        let place = Int(lane.rawValue)
        return heads[place] < lanes[place].count ? Self.size(of: lanes[place][heads[place]]) : 0
    }

    var isEmpty: Bool { laneBytes.allSatisfy { $0 == 0 } }

    mutating func add(_ message: LinkMessage) {
        let lane = message.lane
        for slice in Slice.slices(of: message.encode(), lane: lane) {
            lanes[Int(lane.rawValue)].append(slice)
            laneBytes[Int(lane.rawValue)] += Self.size(of: slice)
        }
    }

    /// Removes and returns the most urgent slice of these lanes; nil when none waits.
    mutating func next(through last: Lane) -> Slice? {
        for lane in 0...Int(last.rawValue) where heads[lane] < lanes[lane].count {
            let slice = lanes[lane][heads[lane]]
            heads[lane] += 1
            if heads[lane] == lanes[lane].count {
                lanes[lane].removeAll(keepingCapacity: true)
                heads[lane] = 0
            } else if heads[lane] > 256 {
                lanes[lane].removeFirst(heads[lane])
                heads[lane] = 0
            }
            laneBytes[lane] -= Self.size(of: slice)
            return slice
        }
        return nil
    }

    private static func size(of slice: Slice) -> Int { Padding.size(slice.payload.count + Slice.prefixLength) }
}
