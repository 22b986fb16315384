import TourModel
import TourWire

/// The files of one tour on one node: the chunks that each neighbour has, the questions to each, and the parts sent to
/// others.
/// Source: `Protocol/11-blobs.md`, "Swarm".
///
/// Pure and deterministic: the shell stores, reads and sends what the outputs ask for, in order, and reports back.
/// After each call the shell sets one timer for `nextDeadline`.
package struct BlobMachine: Sendable {
    /// An event that the shell reports.
    package enum Input: Sendable {
        /// Open a file; there may be at most `Limits.blobsOpenMax`, see `openCount`. A file that is open gets this
        /// role.
        case open(BlobOpening)
        /// Close a file.
        case close(BlobID)
        /// A link is open to a member; on a slow one chunks go one by one.
        case linkUp(LinkID, isSlow: Bool)
        /// A link has closed.
        case linkDown(LinkID)
        /// A message of a link's peer.
        case message(LinkID, BlobMessage)
        /// The link's queue is empty.
        case sent(LinkID)
        /// The store has written the chunk.
        case stored(BlobID, chunk: Int)
        /// The store could not write the chunk.
        case storeFailed(BlobID, chunk: Int)
        /// The chunk that `sendChunk` asked for cannot be read: it is gone.
        case unreadable(LinkID, BlobID, chunk: Int)
        /// Until then a cast brings the file's chunks: only pages are asked for. The peers of these links hear it too,
        /// as far as is known.
        case casting(BlobID, until: Instant, beside: Set<LinkID>)
        /// The chunks that the cast will not bring: they are asked for on links.
        case castLeft(BlobID, [Int])
        /// Until then this node casts the file, or is about to, to the peers of these links: they get its pages now,
        /// and chunks afterwards.
        case castOut(BlobID, to: Set<LinkID>, until: Instant)
        /// A sealed chunk from a cast or a server.
        case heard(BlobID, chunk: Int, [UInt8])
        /// A page from a server.
        case heardPage(BlobID, page: Int, [Bytes32])
        /// The time of `nextDeadline` has come.
        case timer
    }

    /// An action for the shell.
    package enum Output: Sendable {
        /// Send a message on a link.
        case send(LinkID, BlobMessage)
        /// Read the chunk from the store and send it as `BlobMessage.chunk`, with these chunks as `got`.
        case sendChunk(LinkID, BlobID, chunk: Int, got: [Int])
        /// Store a chunk that matches its page, and report `stored` or `storeFailed`.
        case store(BlobID, chunk: Int, [UInt8])
        /// Store a page that matches the file, before any later chunk.
        case storePage(BlobID, page: Int, [Bytes32])
        /// Every wanted chunk is stored.
        case complete(BlobID)
        /// A peer wants a file that is not open, or asks for its state: open it if it is held, wanted or may be
        /// relayed.
        case lookUp(BlobID, from: LinkID)
        /// This many chunks are stored: sent seldom, and not after the last one.
        case progress(BlobID, chunks: Int)
        /// Nobody has wanted the file for a while: it may be closed. A later question for it causes `lookUp`.
        case idle(BlobID)
        /// The peer sent something wrong.
        case misbehaved(LinkID, BlobFault)
        /// A chunk from `heard` is not the file's.
        case misheard(BlobID, chunk: Int)
    }

    /// The open files.
    package internal(set) var blobs: [BlobID: OpenBlob] = [:]
    /// The open links.
    package internal(set) var links: [LinkID: BlobLink] = [:]
    /// The number of files opened so far.
    var opened = 0
    /// When the shell must call with `.timer` at the latest; nil while nothing waits.
    package private(set) var nextDeadline: Instant?

    package init() {}

    /// The number of open files.
    package var openCount: Int { blobs.count }

    /// Applies one input and everything that is due, and appends the outputs.
    package mutating func handle(
        _ input: Input, now: Instant, using rng: inout some RandomNumberGenerator, into outputs: inout [Output]
    ) {
        switch input {
        case .open(let opening): open(opening, now, &outputs)
        case .close(let blob): close(blob, now, &outputs)
        case .linkUp(let link, let isSlow): linkUp(link, isSlow: isSlow, now, &outputs)
        case .linkDown(let link): linkDown(link, now)
        case .message(let link, let message): receive(message, link, now, &outputs)
        case .sent(let link): links[link]?.sent(.max, now)
        case .stored(let blob, let chunk): stored(blob, chunk, now, &outputs)
        case .storeFailed(let blob, let chunk): storeFailed(blob, chunk, now)
        case .unreadable(let link, let blob, let chunk): unreadable(blob, chunk, on: link, now, &outputs)
        case .casting(let blob, let until, let beside): casting(blob, until: until, beside: beside, now)
        case .castLeft(let blob, let chunks): castLeft(blob, chunks, &outputs)
        case .castOut(let blob, let links, let until): castOut(blob, to: links, until: until, now, &outputs)
        case .heard(let blob, let chunk, let bytes): receive(blob, chunk: chunk, bytes, now, &outputs)
        case .heardPage(let blob, let page, let hashes): receive(blob, page: page, hashes, &outputs)
        case .timer: break
        }
        expire(now, &outputs)
        followWants(now, &outputs)
        followCasts(now, &outputs)
        sendFirstStates(now, &outputs)
        grantAll(now, &rng)
        for link in links.keys.sorted() { serve(link, now, &rng, &outputs) }
        ask(now, &rng, &outputs)
        sendNews(now, &outputs)
        report(now, &outputs)
        updateDeadline(now)
    }

    /// Everything due by now is done, or waits for something other than time.
    private mutating func updateDeadline(_ now: Instant) {
        var deadline = Deadline(after: now)
        for link in links.values {
            deadline.consider(link.stallDue)
            deadline.consider(link.stuckDue)
        }
        for blob in blobs.values { blob.addDueTimes(to: &deadline) }
        for ask in links.values.flatMap(\.asks) {
            if let blob = blobs[ask.blob] { deadline.consider(ask.at + blob.askPatience) }
        }
        nextDeadline = deadline.earliest
    }
}

/// The earliest time after now at which something is due.
struct Deadline {
    private let now: Instant
    private(set) var earliest: Instant?

    init(after now: Instant) { self.now = now }

    mutating func consider(_ other: Instant?) {
        if let other, other > now { earliest = min(earliest ?? other, other) }
    }
}

extension OpenBlob {
    func addDueTimes(to deadline: inout Deadline) {
        deadline.consider(wants.due)
        deadline.consider(isRationed.due)
        deadline.consider(castUntil)
        if !untold.isEmpty { deadline.consider(untoldDue) }
        deadline.consider(castToUntil)
        deadline.consider(pausedUntil)
        deadline.consider(progressDue)
        deadline.consider(busyAt + Self.idleTime)
        for asked in pagesAsked.values { deadline.consider(asked.due) }
        for peer in peers.values {
            deadline.consider(peer.rest.until)
            deadline.consider(peer.newsDue)
            deadline.consider(peer.grantsDue)
            for grant in peer.grants { deadline.consider(grant.due) }
        }
    }
}

extension BlobMachine {
    /// The number of peers that have some of a file, and of those that have all of it.
    package func neighbours(with blob: BlobID) -> (some: Int, whole: Int) {
        let peers = blobs[blob]?.peers.values.map(\.offers) ?? []
        return (peers.count { !$0.isEmpty }, peers.count(where: \.isFull))
    }

    /// Links whose peers want chunks of a file, for themselves or for others.
    package func wanting(_ blob: BlobID) -> [LinkID] {
        blobs[blob]?.peers.filter(\.value.isWanting).keys.sorted() ?? []
    }
}
