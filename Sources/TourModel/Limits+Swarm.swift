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
    /// The most parts that one peer may have waiting with us, over all files: more than any peer asks for.
    package static let blobOwedMax = 32
    /// The longest time that news waits for another message to carry it, for a peer that waits for chunks of ours.
    package static let blobNewsDelay: Duration = .milliseconds(250)
    /// The same for each chunk of a file: of a short one there is little news to gather.
    package static let blobNewsDelayPerChunk: Duration = .milliseconds(3)
    /// The same for a peer that has asked for chunks or wants none.
    package static let blobNewsDelayWhenBusy: Duration = .milliseconds(500)

    /// How long news waits for a peer that hears the cast which brings the same chunks.
    package static let blobNewsDelayBesideCast: Duration = .seconds(2)

    /// The delay of news for a file of this many chunks.
    package static func blobNewsDelay(chunks: Int) -> Duration {
        min(blobNewsDelay, blobNewsDelayPerChunk * chunks)
    }
}
