import TourModel

/// Joins the slices of each lane into messages. Holds at most one unfinished message for each lane.
package struct Reassembly: Sendable {
    private var unfinished: [[UInt8]] = Array(repeating: [], count: Lane.allCases.count)

    package init() {}

    /// - Returns: a whole message, or nil while more slices must follow.
    /// - Throws: `WireError.messageTooLarge` (scope link).
    package mutating func add(_ slice: Slice) throws(WireError) -> [UInt8]? {
        let lane = Int(slice.lane.rawValue)
        guard unfinished[lane].count + slice.payload.count <= Limits.linkMessageBytesMax else {
            throw .messageTooLarge
        }
        if !slice.more, unfinished[lane].isEmpty { return Array(slice.payload) }
        unfinished[lane] += slice.payload
        if slice.more { return nil }
        defer { unfinished[lane] = [] }
        return unfinished[lane]
    }
}

extension Slice {
    /// The slices of one message, in order; all but the last need no padding. An empty message is one empty slice.
    package static func slices(of message: [UInt8], lane: Lane) -> [Slice] {
        precondition(message.count <= Limits.linkMessageBytesMax, "a link message is at most 96 KiB")
        var slices = [Slice]()
        var start = 0
        repeat {
            let end = min(start + Limits.slicePayloadBytesTarget, message.count)
            slices.append(Slice(lane: lane, more: end < message.count, payload: message[start..<end]))
            start = end
        } while start < message.count
        return slices
    }
}
