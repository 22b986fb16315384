/// How files travel from node to node. Source: `Protocol/11-blobs.md`, "Swarm".
extension Limits {
    /// The most chunks of a file.
    package static let blobChunksMax = blobPagesMax * blobPageHashesMax
    /// The most chunks that one message names as new: a few fit the padding, and all are at most one page.
    package static let blobGotMax = 1_024
    /// The most chunks that one message asks for or gives up: more than any peer has in flight.
    package static let blobAskedMax = 16
    /// The number of links, plus one, between a relaying node and a member that wants the file, from which it is too
    /// far.
    package static let blobWantsMax = 4
}

// Values that this implementation chooses: a peer with others still understands us.
extension Limits {
    /// The most files open at once: with their pages and peers' offers they take some MiB.
    package static let blobsOpenMax = 32
    /// The most chunks asked of one peer at once: enough for a fast link, and few are lost with a peer. One chunk on a
    /// slow link, and of a peer that failed before.
    package static let blobAsksMax = 4
    /// The most parts that one peer may have waiting with us, over all files: more than any peer asks for.
    package static let blobOwedMax = 32
    /// The most chunks and pages in a link's queue at once: chat waits behind none of them, and parts no longer wanted
    /// are not sent.
    package static let blobSendingMax = 2
    /// The number of links receiving at the same time up to which each may queue that many; above it each queues one.
    package static let blobReceiversFew = 2
    /// The most verified chunks not yet written by the store: 4 MiB. Beyond them the node asks for nothing.
    package static let blobStoringMax = 64
    /// How long the node fetches nothing after the store failed.
    package static let blobStorePause: Duration = .seconds(10)
    /// How long a peer that was asked may go without sending a chunk before it counts as stalled and others are asked.
    /// A busy origin on 2 Mbit/s needs five seconds for twenty peers, and a slow segment half a second for each chunk.
    package static let blobStallTime: Duration = .seconds(6)
    /// The same on a slow segment.
    package static let blobStallTimeWhenSlow: Duration = .seconds(12)
    /// The time after which a question is lost even if the peer answers others.
    package static let blobAskLifetime: Duration = .seconds(60)
    /// The time after which a missing page is also asked for elsewhere: without it no chunk of it can be. On a slow
    /// segment a page takes a quarter of a second.
    package static let blobPagePatience: Duration = .milliseconds(700)
    /// How long a peer that stalled or refused is not asked: doubles each time, at most `blobRestDoublingsMax` times.
    package static let blobRestMin: Duration = .seconds(4)
    /// How often the pause doubles.
    package static let blobRestDoublingsMax = 4
    /// The refusals in a row after which a peer is not asked for a while.
    package static let blobRefusalsMax = 8
    /// How long the node waits for a chunk before it asks another peer that offers it and has nothing else to give.
    package static let blobAskPatience: Duration = .seconds(2)
    /// The same at the end of a file.
    package static let blobEndPatience: Duration = .milliseconds(400)
    /// The missing chunks that count as the end of a file.
    package static let blobEndChunksMax = 4
    /// The longest time that news waits for another message to carry it, for a peer that waits for chunks of ours.
    package static let blobNewsDelay: Duration = .milliseconds(250)
    /// The same for each chunk of a file: of a short one there is little news to gather.
    package static let blobNewsDelayPerChunk: Duration = .milliseconds(3)
    /// The same for a peer that has asked for chunks or wants none.
    package static let blobNewsDelayWhenBusy: Duration = .milliseconds(500)

    /// How long news waits for a peer that hears the cast which brings the same chunks.
    package static let blobNewsDelayBesideCast: Duration = .seconds(2)
    /// How long links other than the author's do not mention a file that may be cast: the time of a cast's trials and
    /// its first symbols.
    package static let blobQuietTime: Duration = .milliseconds(700)

    /// The delay of news for a file of this many chunks.
    package static func blobNewsDelay(chunks: Int) -> Duration {
        min(blobNewsDelay, blobNewsDelayPerChunk * chunks)
    }

    /// The most chunks that an origin offers to one peer before it sends the first of them; one on a slow link.
    package static let blobGrantsMax = 2
    /// The most of these and of chunks sent without an acknowledgement together.
    package static let blobGrantsUnsettledMax = 16
    /// How long an unused offer of an origin stands.
    package static let blobOfferLifetime: Duration = .seconds(2)
    /// How long a chunk has to spread before the origin sends a second copy.
    package static let blobPatience: Duration = .seconds(1)
    /// The same before a third copy.
    package static let blobPatienceAfterTwo: Duration = .seconds(10)
    /// The same for a peer that gets nothing from others.
    package static let blobPatienceWhenUnfed: Duration = .milliseconds(300)
    /// How long a peer counts as fed after it got a chunk from others.
    package static let blobFedTime: Duration = .seconds(2)
    /// How often an origin checks for offers whose time has come.
    package static let blobGrantInterval: Duration = .milliseconds(250)
    /// How long it takes until others learn that nobody wants a file any more, or only one member does.
    package static let blobLingering: Duration = .seconds(2)
    /// The least time between two progress reports of one file.
    package static let blobProgressInterval: Duration = .milliseconds(500)
    /// The time after which a file that nobody wants is idle.
    package static let blobIdleTime: Duration = .seconds(60)
}
