import TourAPI
import TourCrypto
import TourGossip
import TourModel
import TourStore
import TourWire

/// What the files of one tour need of the node around them. It is called on the node's loop, to which the files
/// belong. Work that it is given runs there too, on the files that the tour has by then; once the tour is gone, it is
/// dropped.
package protocol FilesHost {
    /// The time by a clock that never steps.
    var now: Instant { get }
    /// The node is being stopped: no timer is set and nothing begins any more.
    var isStopping: Bool { get }
    /// Which files to fetch unasked.
    var policy: FilePolicy { get }

    // MARK: - The tour

    /// This node's member.
    var own: MemberID { get }
    /// Whether this node's member is in the tour.
    var isMember: Bool { get }
    /// Whether the node makes links for the tour.
    var wantsLinks: Bool { get }
    /// How far every member has received our log.
    var deliveredThrough: UInt64 { get }
    /// The key under which we cast; nil: nothing can be sealed now.
    var sendingKey: EpochKey? { get }
    /// The keys under which others may cast.
    var receivingKeys: [EpochKey] { get }
    /// Increases whenever the keys may have changed.
    var keyRevision: Int { get }
    /// What an event says; nil: it cannot be opened.
    func content(of event: Event) -> Content?
    /// Whether the author has withdrawn this message.
    func isWithdrawn(_ message: EventID, by author: MemberID) -> Bool

    // MARK: - Links and segments

    /// The members at the other ends of our links.
    var neighbours: [LinkID: MemberID] { get }
    /// The segments that this node is on.
    var segments: [SegmentID] { get }
    /// The members heard on a segment.
    func listeners(on segment: SegmentID) -> Listeners
    /// Whether files can be cast there.
    func carriesCasts(on segment: SegmentID) -> Bool
    /// Queues a message on a link.
    func send(_ message: LinkMessage, on link: LinkID)
    /// Sends an ask to everybody on a segment.
    func send(_ ask: CastAsk, on segment: SegmentID)
    /// Sends a batch of a cast to everybody on a segment.
    /// - Parameter sent: called once the socket has accepted the batch, or will not; never before this returns.
    /// - Returns: false when nothing can be cast there any more.
    func cast(_ batch: [[UInt8]], on segment: SegmentID, sent: @escaping @Sendable (TourFiles) -> Void) -> Bool

    // MARK: - Timers and the disk

    /// Does work after a delay.
    func schedule(after delay: Duration, _ work: @escaping @Sendable (TourFiles) -> Void) -> FilesTimer
    /// Reads or writes files off the loop, one job after the other.
    /// - Parameter work: what it returns runs on the loop.
    func submit(_ work: @escaping @Sendable () -> @Sendable (TourFiles) -> Void)
    /// Opens a file in the store, which makes room for it: a job as those of `submit`.
    /// - Parameter kept: files that are not deleted to make room.
    func open(
        _ manifest: BlobManifest, isAsked: Bool, keeping kept: Set<BlobID>,
        _ done: @escaping @Sendable (TourFiles, Result<BlobFile, StoreError>) -> Void)
    /// Deletes a file from the store: a job as those of `submit`.
    func remove(_ id: BlobID)

    // MARK: - The server

    /// Whether the tour's server answers, so that files may go there and come from there.
    var reachesServer: Bool { get }
    /// Begins a transfer; `TourFiles.ended` is called with how it ended.
    /// - Returns: nil when there is no server.
    func beginTransfer(_ work: OnlineFiles.Work) -> Task<Void, Never>?

    // MARK: - Notifications

    /// A message's file changed: readers get the message again.
    func notifyOfChange(_ author: MemberID, _ sequence: UInt64)
    /// Counts a fault for the status.
    func count(_ fault: any Fault)
}

/// A timer that can be cancelled.
package struct FilesTimer {
    private let onCancel: () -> Void

    /// - Parameter onCancel: unsets the timer, if it has not fired.
    package init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

    func cancel() { onCancel() }
}

/// The way of a task to the files of a tour, as they are by then.
protocol FilesAccess: Sendable {
    /// - Returns: nil once the tour is gone.
    func perform<Value: Sendable>(_ work: @Sendable (TourFiles) -> Value) async -> Value?
    /// Suspends until the disk work submitted so far is done.
    func settle() async
}
