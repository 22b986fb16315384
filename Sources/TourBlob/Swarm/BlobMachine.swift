import TourModel
import TourWire

/// The files of one tour on one node: who of the neighbours has which chunks, which are asked of whom, and what others
/// get. Source: `Protocol/11-blobs.md`, "Swarm".
///
/// Pure and deterministic: the shell stores, reads and sends what the outputs ask for, in order, and reports back.
/// After each call it sets one timer for `nextDeadline`.
package struct BlobMachine: Sendable {
    package enum Input: Sendable {
        /// A file of which there are at most `Limits.blobsOpenMax`: `openCount` tells. One that is open gets this role.
        case open(BlobOpening)
        case close(BlobID)
        /// A link is open to a member; slow: chunks go to it one by one.
        case linkUp(LinkID, isSlow: Bool)
        case linkDown(LinkID)
        case message(LinkID, BlobMessage)
        /// Of what the link was given nothing waits any more.
        case sent(LinkID)
        /// What `store` asked for is done, or could not be.
        case stored(BlobID, chunk: Int)
        case storeFailed(BlobID, chunk: Int)
        /// What `sendChunk` asked for cannot be read: it is no longer there.
        case unreadable(LinkID, BlobID, chunk: Int)
        /// Until then the file's chunks are on the air: only pages are asked for. The peers of these links hear them
        /// too, as far as is known.
        case casting(BlobID, until: Instant, beside: Set<LinkID>)
        /// Of chunks on the air, those that do not come from there: they are asked for.
        case castLeft(BlobID, [Int])
        /// Until then this node casts the file, or is about to, to the peers of these links: they get its pages, and
        /// chunks afterwards.
        case castOut(BlobID, to: Set<LinkID>, until: Instant)
        /// A chunk from the air, or from a server: sealed.
        case heard(BlobID, chunk: Int, [UInt8])
        /// A page from a server.
        case heardPage(BlobID, page: Int, [Bytes32])
        case timer
    }

    package enum Output: Sendable {
        case send(LinkID, BlobMessage)
        /// To be read from the store and sent as `BlobMessage.chunk`, with these chunks as `got`.
        case sendChunk(LinkID, BlobID, chunk: Int, got: [Int])
        /// A chunk as its page names it: to be stored, and reported as `stored` or `storeFailed`.
        case store(BlobID, chunk: Int, [UInt8])
        /// A page as the file names it: to be stored before the chunks that come after it.
        case storePage(BlobID, page: Int, [Bytes32])
        /// Everything that was wanted is stored.
        case complete(BlobID)
        /// A peer wants a file that is not open, or asks what is here of it: to be opened if it is held, wanted or
        /// may be relayed.
        case lookUp(BlobID, from: LinkID)
        /// So many chunks are stored: seldom, and not after the last one.
        case progress(BlobID, chunks: Int)
        /// Nobody has wanted the file for a while: it may be closed. Who asks for it makes it looked up again.
        case idle(BlobID)
        case misbehaved(LinkID, BlobFault)
        /// A chunk, from wherever `heard` had it, that is not the file's.
        case misheard(BlobID, chunk: Int)
    }

    package internal(set) var blobs: [BlobID: OpenBlob] = [:]
    package internal(set) var links: [LinkID: BlobLink] = [:]
    /// Files opened so far.
    var opened = 0
    /// When the shell must call with `.timer` at the latest; nil while nothing waits.
    package private(set) var nextDeadline: Instant?

    package init() {}

    package var openCount: Int { blobs.count }

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
        case .heard(let blob, let chunk, let bytes): heard(blob, chunk, bytes, now, &outputs)
        case .heardPage(let blob, let page, let hashes): heard(blob, page: page, hashes, &outputs)
        case .timer: break
        }
        expire(now, &outputs)
        followWants(now, &outputs)
        followCasts(now, &outputs)
        tellUntold(now, &outputs)
        grantAll(now, &rng)
        for link in links.keys.sorted() { serve(link, now, &rng, &outputs) }
        ask(now, &rng, &outputs)
        tellNews(now, &outputs)
        report(now, &outputs)
        updateDeadline(now)
    }

    /// What is due by now is done, or waits for something else than time.
    private mutating func updateDeadline(_ now: Instant) {
        var deadline = Deadline(after: now)
        for link in links.values {
            deadline.consider(link.stallDue)
            deadline.consider(link.stuckDue)
        }
        for blob in blobs.values { blob.tell(&deadline) }
        for ask in links.values.flatMap(\.asks) {
            if let blob = blobs[ask.blob] { deadline.consider(ask.at + blob.askPatience) }
        }
        nextDeadline = deadline.earliest
    }
}

/// The earliest of the times after now at which something is due.
struct Deadline {
    private let now: Instant
    private(set) var earliest: Instant?

    init(after now: Instant) { self.now = now }

    mutating func consider(_ other: Instant?) {
        if let other, other > now { earliest = min(earliest ?? other, other) }
    }
}

extension OpenBlob {
    func tell(_ deadline: inout Deadline) {
        deadline.consider(wants.due)
        deadline.consider(isRationed.due)
        deadline.consider(castUntil)
        if !untold.isEmpty { deadline.consider(untoldDue) }
        deadline.consider(castToUntil)
        deadline.consider(pausedUntil)
        deadline.consider(progressDue)
        deadline.consider(busyAt + Limits.blobIdleTime)
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
    /// Peers that have something of a file, and of them those that have all of it.
    package func neighbours(with blob: BlobID) -> (some: Int, whole: Int) {
        let peers = blobs[blob]?.peers.values.map(\.offers) ?? []
        return (peers.count { !$0.isEmpty }, peers.count(where: \.isFull))
    }

    /// Links whose peers want chunks of a file, for themselves or others.
    package func wanting(_ blob: BlobID) -> [LinkID] {
        blobs[blob]?.peers.filter(\.value.isWanting).keys.sorted() ?? []
    }
}
