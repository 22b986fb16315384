import NIOCore
import TourBlob
import TourModel
import TourStore

/// The files of one tour on this node: those that it knows of, and the swarm of those that are open. Belongs to the
/// node's actor.
final class FileDesk {
    var swarm = BlobMachine()
    /// Every file that a message of the tour names.
    private(set) var known: [BlobID: KnownFile] = [:]
    /// The same by message, for whoever shows messages.
    private(set) var progress: [EventID: FileProgress] = [:]
    /// Those that the swarm has, with their bytes.
    var open: [BlobID: BlobFile] = [:]
    /// On their way there, beside the loop.
    var opening: Set<BlobID> = []
    /// Of those that are not open: links whose peers have asked about them, and wait for an answer.
    var askers = FileAskers()
    /// To be opened when there is room among those that are open.
    private var queue: [BlobID] = []
    var meters: [BlobID: RateMeter] = [:]
    /// Those that go through the server, and come from it.
    var online = OnlineFiles()
    /// How many calls of `TourNode.feed(files:)` are under way, one inside the other.
    var feeding = 0
    var timer: (deadline: Instant, task: Scheduled<Void>)?

    /// - Returns: false for a message that was known.
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

    /// Its author took the message back.
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
    func note(asker link: LinkID, of id: BlobID) { askers.note(link, about: id) { known[$0] != nil } }

    /// - Returns: whether that is news.
    @discardableResult
    func note(_ id: BlobID, _ new: FileProgress) -> Bool {
        guard let file = known[id], file.progress != new else { return false }
        known[id]?.progress = new
        for message in file.messages { progress[message.id] = new }
        return true
    }

    func note(_ id: BlobID, problem: StoreError?, at now: Instant) {
        known[id]?.problem = problem
        known[id]?.triedAt = now
    }

    /// What there was no room for, and was tried long ago.
    func dueAgain(now: Instant, interval: Duration) -> [BlobID] {
        known.compactMap { id, file in
            file.problem != nil && now - (file.triedAt ?? now) >= interval ? id : nil
        }
    }

    /// Of the files that others wait for the place of, one that nothing came of for a while.
    func stuck(for time: Duration, now: Instant) -> BlobID? {
        guard !queue.isEmpty, swarm.openCount >= Limits.blobsOpenMax else { return nil }
        return open.keys.filter { now - changed($0, now) > time }.min {
            (changed($0, now), $0) < (changed($1, now), $1)
        }
    }

    private func changed(_ id: BlobID, _ now: Instant) -> Instant {
        known[id]?.changedAt ?? now
    }

    func noteChange(of id: BlobID, at now: Instant) { known[id]?.changedAt = now }

    func note(_ id: BlobID, isAsked: Bool) { known[id]?.isAsked = isAsked }

    /// - Parameter isUrgent: somebody waits for it just now.
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

/// A file that messages name, and how far it is here.
struct KnownFile {
    /// Where in the tour a file stands.
    struct Message: Hashable {
        var id: EventID
        var author: MemberID
        var sequence: UInt64
    }

    var manifest: BlobManifest
    /// More than one if it was sent again as it is.
    var messages: [Message]
    var progress: FileProgress
    /// Somebody here wants it, whatever the policy.
    var isAsked = false
    /// Why it is not being fetched.
    var problem: StoreError?
    var triedAt: Instant?
    /// When something of it came last, or it was opened.
    var changedAt: Instant?

    init(manifest: BlobManifest, message: Message, progress: FileProgress) {
        self.manifest = manifest
        messages = [message]
        self.progress = progress
    }
}
