/// Files that are cast to a whole segment. Source: `Protocol/11-blobs.md`, "Multicast session".
extension Limits {
    /// One symbol: with what a datagram of a cast puts around it, it fills `datagramBytesMax`.
    package static let castSymbolBytes = 1_171
    /// Numbers of one block's symbols: the code has as many rows as GF(256) allows.
    package static let castSymbolNumbersMax = 255
    /// Blocks of a window: 1 MiB. Their symbols go out in turn, so that a burst that loses 28 ms of a fast link takes
    /// four symbols of each and not one block.
    package static let castWindowBlocks = 16
    /// Windows that a sender keeps in memory: one is sent, one is read ahead, two may still be asked for.
    package static let castWindowsOpenMax = 4
    /// Blocks that a receiver holds unfinished, over all casts of a segment: as many as a sender may still mend, 4 MiB.
    package static let castUnfinishedBlocksMax = castWindowBlocks * castWindowsOpenMax
    /// Casts that are followed at once on one segment, and the next: two share its rate, of more none would end.
    package static let castsAtOnceMax = 2
    /// Casts that wait for their turn: a handful of pictures.
    package static let castsWaitingMax = 8
    /// Blobs whose casts are listened for: each costs a hash for every member who may cast it.
    package static let castBlobsMax = 16
    /// Bytes a second that casts put on a segment, headers included: what 24 Mbit/s carry. Where the socket takes them
    /// more slowly it sets the pace.
    package static let castRateMax = 3_000_000
    /// Where no more than this gets through, links are no slower.
    package static let castRateMin = 375_000
    /// The smallest file that is cast: of a smaller one many would miss all without knowing.
    package static let castBytesMin: UInt64 = 64 * 1024
    /// Datagrams that a sender hands over at once: 4 ms of 20 Mbit/s, so that chat waits no longer than that.
    package static let castBatchMax = 8
    /// Batches that the socket has not taken yet: one goes out while the next waits, and the link never idles.
    package static let castBatchesInFlightMax = 2
    /// What the network puts around a datagram: Ethernet, IPv4 and UDP headers. For the rate only.
    package static let datagramHeaderBytes = 42
    /// Blocks that one ask names: as many as a receiver holds unfinished.
    package static let castAskBlocksMax = castUnfinishedBlocksMax
    /// Asks of one datagram or message: one for each cast that is followed, with room.
    package static let castAsksMax = 4
}
