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
    /// The most blocks in one ask: as many as a receiver holds unfinished.
    package static let castAskBlocksMax = castUnfinishedBlocksMax
    /// The most asks in one datagram or message: one for each cast that is followed, and a reserve.
    package static let castAsksMax = 4
}
