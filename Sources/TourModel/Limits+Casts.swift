/// Files that are cast to a whole segment. Source: `Protocol/11-blobs.md`, "Multicast session".
extension Limits {
    /// The bytes of one symbol: with the rest of a cast's datagram it fills `datagramBytesMax`.
    package static let castSymbolBytes = 1_171
    /// The most symbol numbers of one block: the code has as many rows as GF(256) allows.
    package static let castSymbolNumbersMax = 255
    /// The blocks of a window: 1 MiB. Their symbols go out in turn, so that a burst that loses 28 ms of a fast link
    /// costs four symbols of each and not one block.
    package static let castWindowBlocks = 16
    /// The most windows that a sender keeps in memory: one is being sent, one read ahead, two may still be asked for.
    package static let castWindowsOpenMax = 4
    /// The most unfinished blocks that a receiver holds over all casts of a segment: as many as a sender may still
    /// mend, 4 MiB.
    package static let castUnfinishedBlocksMax = castWindowBlocks * castWindowsOpenMax
    /// The most casts followed at once on one segment: two share its rate, and of more none would end.
    package static let castsAtOnceMax = 2
    /// The most casts that wait for their turn: a handful of pictures.
    package static let castsWaitingMax = 8
    /// The most blobs whose casts a node listens for: each costs a hash for every member that may cast it.
    package static let castBlobsMax = 16
    /// The most bytes a second that casts put on a segment, headers included: what 24 Mbit/s carry. A socket that
    /// accepts them more slowly sets the pace.
    package static let castRateMax = 3_000_000
    /// Below this rate a cast is no faster than links.
    package static let castRateMin = 375_000
    /// The smallest file that is cast: many would miss the whole of a smaller one without knowing.
    package static let castBytesMin: UInt64 = 64 * 1024
    /// The most datagrams that a sender passes to the socket at once: 4 ms at 20 Mbit/s, so that chat waits no longer
    /// than that.
    package static let castBatchMax = 8
    /// The most batches that the socket has not accepted yet: one goes out while the next waits, so that the link never
    /// idles.
    package static let castBatchesInFlightMax = 2
    /// The bytes that the network adds to a datagram: Ethernet, IPv4 and UDP headers. Only used for the rate.
    package static let datagramHeaderBytes = 42
    /// The most blocks in one ask: as many as a receiver holds unfinished.
    package static let castAskBlocksMax = castUnfinishedBlocksMax
    /// The most asks in one datagram or message: one for each cast that is followed, and a reserve.
    package static let castAsksMax = 4
}
