/// When batches were in the store: taken after each commit, and written some commits later, many at once, so that a
/// message costs one transaction and, most times, no second write.
struct CommitTimes {
    /// So many at most are lost with the process: then the times just before those commits stand.
    private static let unwrittenMax = 16

    /// By batch, microseconds since 1970.
    private(set) var unwritten: [Int64: Int64] = [:]
    /// Written last. A reader whose picture is older finds them here.
    private var written: [Int64: Int64] = [:]

    /// What the next append writes.
    var due: [Int64: Int64] { unwritten.count < Self.unwrittenMax ? [:] : unwritten }

    subscript(batch: Int64) -> Int64? { unwritten[batch] ?? written[batch] }

    /// A commit added a batch and wrote the times of earlier ones.
    mutating func commit(_ batch: Int64, at time: Int64, wrote times: [Int64: Int64]) {
        if !times.isEmpty {
            for key in times.keys { unwritten[key] = nil }
            written = times
        }
        unwritten[batch] = time
    }
}
