import TourModel
import TourStore

/// The files in the swarm, with their bytes, and those that wait for a place there.
struct OpenFiles {
    private var files: [BlobID: BlobFile] = [:]
    /// Files being opened off the loop.
    private var opening: Set<BlobID> = []
    /// Files to open when the number of open ones allows it.
    private var queue: [BlobID] = []

    subscript(id: BlobID) -> BlobFile? { files[id] }

    var isEmpty: Bool { files.isEmpty }
    var ids: Dictionary<BlobID, BlobFile>.Keys { files.keys }
    /// In the order of their ids.
    var sorted: [(id: BlobID, file: BlobFile)] {
        files.sorted { $0.key < $1.key }.map { (id: $0.key, file: $0.value) }
    }

    /// - Parameter isUrgent: somebody is waiting for the file just now.
    mutating func enqueue(_ id: BlobID, isUrgent: Bool = false) {
        guard files[id] == nil, !opening.contains(id), !queue.contains(id) else { return }
        if isUrgent { queue.insert(id, at: 0) } else { queue.append(id) }
    }

    /// The next file to open, if there is a place for it.
    /// - Parameter count: how many the swarm has open.
    mutating func dequeue(beside count: Int) -> BlobID? {
        guard count + opening.count < Limits.blobsOpenMax, !queue.isEmpty else { return nil }
        return queue.removeFirst()
    }

    mutating func cancel(_ id: BlobID) { queue.removeAll { $0 == id } }

    /// - Returns: false if the file is open, or being opened.
    mutating func beginOpening(_ id: BlobID) -> Bool { files[id] == nil && opening.insert(id).inserted }

    mutating func endOpening(_ id: BlobID) { opening.remove(id) }

    mutating func insert(_ file: BlobFile) { files[file.manifest.id] = file }

    mutating func remove(_ id: BlobID) -> BlobFile? { files.removeValue(forKey: id) }

    mutating func drain() -> [BlobFile] {
        defer { files = [:] }
        return Array(files.values)
    }

    /// The file that has gone longest without a change, if that is long ago and others wait for its place.
    /// - Parameters:
    ///   - count: how many the swarm has open.
    ///   - changedAt: when the file last changed.
    func stuck(for time: Duration, beside count: Int, now: Instant, changedAt: (BlobID) -> Instant) -> BlobID? {
        guard !queue.isEmpty, count >= Limits.blobsOpenMax else { return nil }
        return files.keys.filter { now - changedAt($0) > time }.min { (changedAt($0), $0) < (changedAt($1), $1) }
    }
}
