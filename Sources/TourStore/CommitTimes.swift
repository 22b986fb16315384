/// The commit times of batches: taken after each commit, and written some commits later, many at once, so that a
/// message costs one transaction and usually no second write.
struct CommitTimes {
    /// The most times that a crash loses: the times taken just before those commits then remain.
    private static let unwrittenMax = 16

    /// A batch, and its commit time in microseconds since 1970.
    struct Entry {
        let batch: Int64
        let time: Int64
    }

    /// Few, so a linear search suffices.
    private(set) var unwritten: [Entry] = []
    /// The times written last. A reader with an older snapshot finds them here.
    private var written: [Entry] = []

    /// The times that the next append writes.
    var due: [Entry] { unwritten.count < Self.unwrittenMax ? [] : unwritten }

    subscript(batch: Int64) -> Int64? {
        let entry = unwritten.last { $0.batch == batch } ?? written.last { $0.batch == batch }
        return entry?.time
    }

    /// Records that a commit added a batch and wrote the times of earlier ones.
    mutating func commit(_ batch: Int64, at time: Int64, wrote times: [Entry]) {
        if !times.isEmpty {
            unwritten.removeAll { entry in times.contains { $0.batch == entry.batch } }
            written = times
        }
        unwritten.removeAll { $0.batch == batch }
        unwritten.append(Entry(batch: batch, time: time))
    }
}
