import TourAPI
import TourCrypto
import TourModel
import TourStore
import TourWire

/// Every file that a message of the tour names, and how much of each is here.
struct KnownFiles {
    private var files: [BlobID: KnownFile] = [:]
    /// The progress of the same files by message, for views of messages.
    private(set) var progress: [EventID: FileProgress] = [:]

    subscript(id: BlobID) -> KnownFile? { files[id] }

    var all: Dictionary<BlobID, KnownFile>.Values { files.values }

    /// In the order of their ids.
    var sorted: [(id: BlobID, file: KnownFile)] {
        files.sorted { $0.key < $1.key }.map { (id: $0.key, file: $0.value) }
    }

    /// - Returns: false for a message that was known already.
    mutating func add(_ file: KnownFile) -> Bool {
        let message = file.messages[0]
        guard progress[message.id] == nil else { return false }
        let id = file.manifest.id
        if let old = files[id] {
            files[id]?.messages.append(message)
            progress[message.id] = old.progress
        } else {
            files[id] = file
            progress[message.id] = file.progress
        }
        return true
    }

    /// The author withdrew the message.
    /// - Returns: the file, if no other message names it.
    mutating func remove(_ message: EventID, by author: MemberID) -> BlobID? {
        let named = files.first { $0.value.messages.contains { $0.id == message && $0.author == author } }
        guard let (id, file) = named else { return nil }
        progress[message] = nil
        files[id]?.messages.removeAll { $0.id == message }
        guard file.messages.count == 1 else { return nil }
        files[id] = nil
        return id
    }

    /// - Returns: whether that is news.
    mutating func record(_ new: FileProgress, of id: BlobID) -> Bool {
        guard let file = files[id], file.progress != new else { return false }
        files[id]?.progress = new
        for message in file.messages { progress[message.id] = new }
        return true
    }

    mutating func recordTry(of id: BlobID, problem: StoreError?, at now: Instant) {
        files[id]?.problem = problem
        files[id]?.triedAt = now
    }

    mutating func recordChange(of id: BlobID, at now: Instant) { files[id]?.changedAt = now }

    mutating func record(_ id: BlobID, isAsked: Bool) { files[id]?.isAsked = isAsked }

    /// Files that found no room, and were last tried long ago.
    func dueAgain(now: Instant, interval: Duration) -> [BlobID] {
        files.compactMap { id, file in
            file.problem != nil && now - (file.triedAt ?? now) >= interval ? id : nil
        }
    }
}

/// A file that messages name, and how much of it is here.
package struct KnownFile: Sendable {
    /// The message that names a file, and its place in the tour.
    struct Message: Hashable {
        var id: EventID
        var author: MemberID
        var sequence: UInt64
    }

    let manifest: BlobManifest
    /// Several if the same file was sent more than once.
    fileprivate(set) var messages: [Message]
    fileprivate(set) var progress: FileProgress
    /// The user wants it, whatever the policy.
    fileprivate(set) var isAsked = false
    /// Why we are not fetching it.
    fileprivate(set) var problem: StoreError?
    fileprivate var triedAt: Instant?
    /// When a part of it last arrived, or when it was opened.
    fileprivate(set) var changedAt: Instant?

    /// - Parameters:
    ///   - manifest: with the message's author and event.
    ///   - sequence: the message's place in its log.
    package init(_ manifest: BlobManifest, sequence: UInt64) {
        self.manifest = manifest
        messages = [Message(id: manifest.event, author: manifest.author, sequence: sequence)]
        // An empty file is complete once its name is known.
        progress = FileProgress(have: 0, complete: manifest.shape.size == 0)
    }

    init(_ file: FileContent, of event: Event) {
        let id = BlobID(size: file.shape.size, pageHashes: file.pageHashes)
        self.init(
            BlobManifest(
                id: id, author: event.header.author, event: event.id, shape: file.shape, pageHashes: file.pageHashes),
            sequence: event.header.sequence)
    }

    func isOwn(_ member: MemberID) -> Bool { messages.contains { $0.author == member } }

    func isWanted(_ policy: FilePolicy) -> Bool { isAsked || isWantedUnasked(policy) }

    /// Whether to fetch it though nobody here asked for it.
    func isWantedUnasked(_ policy: FilePolicy) -> Bool {
        switch policy {
        case .always: true
        case .small, .wifiOnly: manifest.shape.size <= BlobQuota.unaskedFileBytesMax
        case .ask: false
        }
    }
}

extension Content {
    /// The file that this content is or carries.
    var file: FileContent? {
        switch self {
        case .file(let file), .image(let file): file
        case .meeting(let meeting): meeting?.photo
        default: nil
        }
    }
}
