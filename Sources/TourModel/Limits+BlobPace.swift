/// How files share a way with messages. Source: `Protocol/11-blobs.md`, "Pace".
extension Limits {
    /// What packets may wait in queues on the way before files send no more than a slice at a time: a message waits in
    /// the same queues, whichever way it takes.
    package static let blobQueueDelay: Duration = .milliseconds(15)
    /// Bytes that the system may have of a connection and not be sending before it gets another slice of a file: a
    /// message overtakes nothing in there.
    package static let blobUnsentBytes = 8 * 1024
    /// Bytes of files on their way on one connection: as much as 100 Mbit/s over 80 ms.
    package static let blobWindowBytesMax = 1024 * 1024
    /// How long a crowded link keeps its turn without an acknowledgement, while others on its network wait; and how
    /// long one that does not ask stays in the line.
    package static let blobTurnTime: Duration = .milliseconds(500)
    package static let blobTurnPatience: Duration = .milliseconds(50)
    /// How often a connection is looked at that has slices waiting: at 20 Mbit/s one takes 6.5 ms.
    package static let blobLookIntervalMin: Duration = .milliseconds(2)
    package static let blobLookIntervalMax: Duration = .milliseconds(20)
}
