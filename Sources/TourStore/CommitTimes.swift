/// When batches were in the store: taken after each commit, and written some commits later, many at once, so that a
/// message costs one transaction and, most times, no second write.
struct CommitTimes {
    /// So many at most are lost with the process: then the times just before those commits stand.
    private static let unwrittenMax = 16

    /// A batch, and its time in microseconds since 1970.
    struct Entry {
        let batch: Int64
        let time: Int64
    }

    /// Few, so they are looked through.
    private(set) var unwritten: [Entry] = []
    /// Written last. A reader whose picture is older finds them here.
    private var written: [Entry] = []

    /// What the next append writes.
    var due: [Entry] { unwritten.count < Self.unwrittenMax ? [] : unwritten }

    subscript(batch: Int64) -> Int64? {
        let entry = unwritten.last { $0.batch == batch } ?? written.last { $0.batch == batch }
        return entry?.time
    }

    /// A commit added a batch and wrote the times of earlier ones.
    mutating func commit(_ batch: Int64, at time: Int64, wrote times: [Entry]) {
        if !times.isEmpty {
            unwritten.removeAll { entry in times.contains { $0.batch == entry.batch } }
            written = times
        }
        unwritten.removeAll { $0.batch == batch }
        unwritten.append(Entry(batch: batch, time: time))
    }
}
