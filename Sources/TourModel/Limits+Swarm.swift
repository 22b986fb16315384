/// How files go from node to node. Source: `Protocol/11-blobs.md`, "Swarm".
extension Limits {
    /// Chunks of the longest file.
    package static let blobChunksMax = blobPagesMax * blobPageHashesMax
    /// Chunks that one message names as new: a few of padding, one page at most.
    package static let blobGotMax = 1_024
    /// Chunks that one message asks for, or gives up: more than anybody has in flight.
    package static let blobAskedMax = 16
    /// Links between a node that relays a file and who wants it, one more: from there on it is too far.
    package static let blobWantsMax = 4
}

// What this implementation chooses: a peer with other values still understands us.
extension Limits {
    /// Files that are open at once: with their pages and who has what some MiB.
    package static let blobsOpenMax = 32
    /// Chunks asked for of one peer at once: enough for a fast link, and little is lost with a peer. On a slow one, and
    /// of a peer that failed before, one.
    package static let blobAsksMax = 4
    /// What one peer may have waiting with us, over all files: more than anybody asks for.
    package static let blobOwedMax = 32
    /// Chunks and pages that a link's queue has at once: chat waits behind none of them, and what is no longer wanted
    /// is not sent.
    package static let blobSendingMax = 2
    /// Links that get something at the same time, up to which each may have so many: where there are more each has one.
    package static let blobReceiversFew = 2
    /// Verified chunks that the store has not written yet: 4 MiB. Beyond them nothing is asked for.
    package static let blobStoringMax = 64
    /// How long nothing is fetched after the store failed.
    package static let blobStorePause: Duration = .seconds(10)
    /// Without a chunk for so long a peer that was asked has stalled: others are asked. A busy origin behind 2 Mbit/s
    /// needs five seconds for twenty peers, and a slow segment half of one for each chunk.
    package static let blobStallTime: Duration = .seconds(6)
    package static let blobStallTimeWhenSlow: Duration = .seconds(12)
    /// After so long a question is lost even where others are answered.
    package static let blobAskLifetime: Duration = .seconds(60)
    /// A page that has not come after so long is asked for elsewhere too: without it nothing else can be. On a slow
    /// segment it takes a quarter of a second by itself.
    package static let blobPagePatience: Duration = .milliseconds(700)
    /// How long a peer is not asked that stalled or refused: doubles from the first, so often at most.
    package static let blobRestMin: Duration = .seconds(4)
    package static let blobRestDoublingsMax = 4
    /// Refusals in a row after which a peer rests.
    package static let blobRefusalsMax = 8
    /// How long a chunk is waited for where another peer offers it and has nothing else to give; and in the end of a
    /// file, when so many chunks are missing.
    package static let blobAskPatience: Duration = .seconds(2)
    package static let blobEndPatience: Duration = .milliseconds(400)
    package static let blobEndChunksMax = 4
    /// How long news gather that go in no other message: for a peer that waits for chunks of ours, and for one that has
    /// asked for some or wants none. Of a short file there is little to gather.
    package static let blobNewsDelay: Duration = .milliseconds(250)
    package static let blobNewsDelayPerChunk: Duration = .milliseconds(3)
    package static let blobNewsDelayWhenBusy: Duration = .milliseconds(500)

    /// How long news gather for a peer that hears the cast which brings them.
    package static let blobNewsDelayBesideCast: Duration = .seconds(2)
    /// How long a file that may be cast is not spoken of on links to others than its author: the trials of a cast and
    /// its first symbols.
    package static let blobQuietTime: Duration = .milliseconds(700)

    package static func blobNewsDelay(chunks: Int) -> Duration {
        min(blobNewsDelay, blobNewsDelayPerChunk * chunks)
    }

    /// Chunks that an origin offers to one peer before it sends the first of them; on a slow link one. And those that
    /// it has given without an acknowledgement, together with these.
    package static let blobGrantsMax = 2
    package static let blobGrantsUnsettledMax = 16
    /// How long an offer of an origin stands that nobody takes up.
    package static let blobOfferLifetime: Duration = .seconds(2)
    /// How long a chunk has to spread before it is given a second time, and a third; and to a peer that gets nothing of
    /// others.
    package static let blobPatience: Duration = .seconds(1)
    package static let blobPatienceAfterTwo: Duration = .seconds(10)
    package static let blobPatienceWhenUnfed: Duration = .milliseconds(300)
    /// How long a peer counts as fed after it got something of others.
    package static let blobFedTime: Duration = .seconds(2)
    /// How often an origin looks for something to offer whose time has come.
    package static let blobGrantInterval: Duration = .milliseconds(250)
    /// How long it takes until others hear that nobody wants a file any more, or that only one does.
    package static let blobLingering: Duration = .seconds(2)
    /// The least time between two words on the progress of one file.
    package static let blobProgressInterval: Duration = .milliseconds(500)
    /// After which a file that nobody wants is idle.
    package static let blobIdleTime: Duration = .seconds(60)
}
