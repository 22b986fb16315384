/// When batches were in the store: taken after each commit, and written with the next one, so that a message costs one
/// transaction. Holds a few entries at most.
struct CommitTimes {
    /// By batch, microseconds since 1970; the next append writes them.
    private(set) var unwritten: [Int64: Int64] = [:]
    /// Written by the last append. A reader whose picture is older finds them here.
    private var written: [Int64: Int64] = [:]

    subscript(batch: Int64) -> Int64? { unwritten[batch] ?? written[batch] }

    /// A commit added a batch and wrote the times of earlier ones.
    mutating func commit(_ batch: Int64, at time: Int64, wrote times: [Int64: Int64]) {
        for key in times.keys { unwritten[key] = nil }
        written = times
        unwritten[batch] = time
    }
}
