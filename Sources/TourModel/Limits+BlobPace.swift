/// How files share a path with messages. Source: `Protocol/11-blobs.md`, "Pace".
extension Limits {
    /// The longest time in which the queues on the path of a network's links may drain of files, or of one slice if
    /// that takes longer: messages wait in the same queues, whichever link they use.
    package static let blobQueueDelay: Duration = .milliseconds(8)
    /// The queueing delay of a link's packets above which the link gets only one slice on its way.
    package static let blobCrowdedDelay: Duration = .milliseconds(15)
    /// The bytes of a connection that the system may hold unsent before it gets another slice of a file: a message
    /// overtakes nothing there.
    package static let blobUnsentBytes = 8 * 1024
    /// The bytes on the way that count as none: the end of a slice that has nearly arrived, a message, or the last
    /// bytes of a chunk, which the receiver may take 40 ms to acknowledge.
    package static let blobRemainderBytes = 4 * 1024
    /// The most bytes of files on their way on one connection, and on all of one network: as much as 100 Mbit/s over 80
    /// ms.
    package static let blobWindowBytesMax = 1024 * 1024
    /// How long unacknowledged bytes keep other links of their network from sending, and how long queues on the path of
    /// one link count as queues on the shared path.
    package static let blobTurnTime: Duration = .milliseconds(500)
    /// How often the shell reads the connections of a network while slices wait: it can measure a round no more
    /// precisely.
    package static let blobLookInterval: Duration = .milliseconds(1)
}
