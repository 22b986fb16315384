import NIOCore
import TourBlob
import TourModel
import TourStore

/// The files of one tour on this node: those that it knows of, and the swarm of those that are open. Belongs to the
/// node's actor.
final class FilesState {
    var swarm = BlobMachine()
    /// Every file that a message of the tour names.
    private(set) var known: [BlobID: KnownFile] = [:]
    /// The progress of the same files by message, for views of messages.
    private(set) var progress: [EventID: FileProgress] = [:]
    /// The files in the swarm, with their bytes.
    var open: [BlobID: BlobFile] = [:]
    /// Files being opened off the loop.
    var opening: Set<BlobID> = []
    /// For files that are not open: links whose peers asked about them and wait for an answer.
    var askers = FileAskers()
    /// Files to open when the number of open ones allows it.
    private var queue: [BlobID] = []
    var meters: [BlobID: RateMeter] = [:]
    /// Files on their way to the server or from it.
    var online = OnlineFiles()
    /// How many calls of `TourNode.feed(files:)` are under way, one inside the other.
    var feeding = 0
    var timer: (deadline: Instant, task: Scheduled<Void>)?

    /// - Returns: false for a message that was known already.
    func learn(_ file: KnownFile) -> Bool {
        let message = file.messages[0]
        guard progress[message.id] == nil else { return false }
        let id = file.manifest.id
        if let old = known[id] {
            known[id]?.messages.append(message)
            progress[message.id] = old.progress
        } else {
            known[id] = file
            progress[message.id] = file.progress
        }
        return true
    }

    /// The author withdrew the message.
    /// - Returns: the file, if no other message names it.
    func forget(_ message: EventID, by author: MemberID) -> BlobID? {
        let named = known.first { $0.value.messages.contains { $0.id == message && $0.author == author } }
        guard let (id, file) = named else { return nil }
        progress[message] = nil
        known[id]?.messages.removeAll { $0.id == message }
        guard file.messages.count == 1 else { return nil }
        known[id] = nil
        meters[id] = nil
        askers.forget(id)
        queue.removeAll { $0 == id }
        return id
    }

    /// A peer asks about a file that is not open.
    func record(asker link: LinkID, of id: BlobID) { askers.record(link, about: id) { known[$0] != nil } }

    /// - Returns: whether that is news.
    @discardableResult
    func recordProgress(of id: BlobID, _ new: FileProgress) -> Bool {
        guard let file = known[id], file.progress != new else { return false }
        known[id]?.progress = new
        for message in file.messages { progress[message.id] = new }
        return true
    }

    func recordTry(of id: BlobID, problem: StoreError?, at now: Instant) {
        known[id]?.problem = problem
        known[id]?.triedAt = now
    }

    /// Files that found no room, and were last tried long ago.
    func dueAgain(now: Instant, interval: Duration) -> [BlobID] {
        known.compactMap { id, file in
            file.problem != nil && now - (file.triedAt ?? now) >= interval ? id : nil
        }
    }

    /// An open file without progress for this long, if other files wait for its place.
    func stuck(for time: Duration, now: Instant) -> BlobID? {
        guard !queue.isEmpty, swarm.openCount >= Limits.blobsOpenMax else { return nil }
        return open.keys.filter { now - changed($0, now) > time }.min {
            (changed($0, now), $0) < (changed($1, now), $1)
        }
    }

    private func changed(_ id: BlobID, _ now: Instant) -> Instant {
        known[id]?.changedAt ?? now
    }

    func recordChange(of id: BlobID, at now: Instant) { known[id]?.changedAt = now }

    func record(_ id: BlobID, isAsked: Bool) { known[id]?.isAsked = isAsked }

    /// - Parameter isUrgent: somebody is waiting for the file just now.
    func enqueue(_ id: BlobID, isUrgent: Bool = false) {
        guard open[id] == nil, !opening.contains(id), !queue.contains(id) else { return }
        if isUrgent { queue.insert(id, at: 0) } else { queue.append(id) }
    }

    func nextQueued() -> BlobID? { queue.isEmpty ? nil : queue.removeFirst() }

    func end() {
        timer?.task.cancel()
        timer = nil
    }
}

/// A file that messages name, and how much of it is here.
struct KnownFile {
    /// The message that names a file, and its place in the tour.
    struct Message: Hashable {
        var id: EventID
        var author: MemberID
        var sequence: UInt64
    }

    var manifest: BlobManifest
    /// Several if the same file was sent more than once.
    var messages: [Message]
    var progress: FileProgress
    /// The user wants it, whatever the policy.
    var isAsked = false
    /// Why we are not fetching it.
    var problem: StoreError?
    var triedAt: Instant?
    /// When a part of it last arrived, or when it was opened.
    var changedAt: Instant?

    init(manifest: BlobManifest, message: Message, progress: FileProgress) {
        self.manifest = manifest
        messages = [message]
        self.progress = progress
    }
}
