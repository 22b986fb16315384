/// How files share a way with messages. Source: `Protocol/11-blobs.md`, "Pace".
extension Limits {
    /// What queues on the way of all links of a network may take to run dry of files, and at least of a slice: a
    /// message waits in the same queues, whichever link it takes.
    package static let blobQueueDelay: Duration = .milliseconds(8)
    /// What packets of one link may wait in queues before it has no more than a slice on its way.
    package static let blobCrowdedDelay: Duration = .milliseconds(15)
    /// Bytes that the system may have of a connection and not be sending before it gets another slice of a file: a
    /// message overtakes nothing in there.
    package static let blobUnsentBytes = 8 * 1024
    /// So little on the way counts as nothing: the end of a slice that is nearly there, a message, or the last bytes of
    /// a chunk, which the receiver may take 40 ms to acknowledge.
    package static let blobRemainderBytes = 4 * 1024
    /// Bytes of files on their way on one connection, and on all of one network: as much as 100 Mbit/s over 80 ms.
    package static let blobWindowBytesMax = 1024 * 1024
    /// How long bytes without an acknowledgement keep others on their network from sending, and how long queues on the
    /// way to one are taken for a sign of the way that all share.
    package static let blobTurnTime: Duration = .milliseconds(500)
    /// How often the connections of a network are looked at while slices wait: the time that a round takes is known no
    /// better.
    package static let blobLookInterval: Duration = .milliseconds(1)
}
