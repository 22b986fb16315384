import TourAPI
import TourCrypto
import TourGossip
import TourModel
import TourNode
import TourStore
import TourWire

/// What surrounds the files of a tour in a test: a clock that stands until it is set, jobs that wait until they are
/// run, and a record of what was asked for.
final class MemoryFilesHost: FilesHost {
    typealias Opened = @Sendable (TourFiles, Result<BlobFile, StoreError>) -> Void

    var now = Instant(microseconds: 1_000_000_000)
    var isStopping = false
    var policy = FilePolicy.always

    let own = MemberID(raw: MemoryFilesHost.bytes(1))
    var isMember = true
    let wantsLinks = true
    var deliveredThrough: UInt64 = 0
    let sendingKey: EpochKey? = nil
    let receivingKeys: [EpochKey] = []
    let keyRevision = 1
    let neighbours: [LinkID: MemberID] = [:]
    let segments: [SegmentID] = []
    let reachesServer = false

    /// Messages that were withdrawn.
    var withdrawn: Set<EventID> = []
    /// Files that are to be opened, in this order, with what is kept for each.
    var opening: [(id: BlobID, kept: Set<BlobID>, done: Opened)] = []
    private(set) var removed: [BlobID] = []
    private(set) var sent: [(link: LinkID, message: LinkMessage)] = []
    /// The sequences of messages that changed.
    private(set) var changed: [UInt64] = []
    private(set) var faults: [String] = []
    private var jobs: [@Sendable () -> @Sendable (TourFiles) -> Void] = []

    static func bytes(_ number: UInt8) -> Bytes32 {
        Bytes32([UInt8](repeating: number, count: Bytes32.count)) ?? .zero
    }

    /// Runs the jobs that wait, and those that follow from them.
    func runJobs(_ files: TourFiles) {
        while !jobs.isEmpty { jobs.removeFirst()()(files) }
    }

    func content(of event: Event) -> Content? { nil }
    func isWithdrawn(_ message: EventID, by author: MemberID) -> Bool { withdrawn.contains(message) }
    func listeners(on segment: SegmentID) -> Listeners { .none }
    func carriesCasts(on segment: SegmentID) -> Bool { false }
    func send(_ message: LinkMessage, on link: LinkID) { sent.append((link, message)) }
    func send(_ ask: CastAsk, on segment: SegmentID) {}

    func cast(_ batch: [[UInt8]], on segment: SegmentID, sent: @escaping @Sendable (TourFiles) -> Void) -> Bool {
        false
    }

    func schedule(after delay: Duration, _ work: @escaping @Sendable (TourFiles) -> Void) -> FilesTimer {
        FilesTimer {}
    }

    func submit(_ work: @escaping @Sendable () -> @Sendable (TourFiles) -> Void) { jobs.append(work) }

    func open(_ manifest: BlobManifest, isAsked: Bool, keeping kept: Set<BlobID>, _ done: @escaping Opened) {
        opening.append((manifest.id, kept, done))
    }

    func remove(_ id: BlobID) { removed.append(id) }
    func beginTransfer(_ work: OnlineFiles.Work) -> Task<Void, Never>? { nil }
    func notifyOfChange(_ author: MemberID, _ sequence: UInt64) { changed.append(sequence) }
    func count(_ fault: any Fault) { faults.append(fault.code) }
}
