/// The disk space for files, others' and our own. Source: `Protocol/11-blobs.md`, "Keeping".
extension Limits {
    /// The most bytes of one tour, counted in whole sealed chunks: a week's pictures of 20 members. So a tour has at
    /// most 32,760 files.
    package static let blobTourBytesMax: UInt64 = 2 * 1024 * 1024 * 1024
    /// The most bytes of one member's files that nobody here requested: one member cannot displace what all others
    /// sent.
    package static let blobAuthorBytesMax: UInt64 = 512 * 1024 * 1024
    /// The disk space that files leave free: messages, the database's log and other programs need some.
    package static let diskFreeBytesMin: UInt64 = 200 * 1024 * 1024
    /// The same as a fraction of the disk, one part of this many; on a large disk no more than `diskFreeBytesEnough`.
    package static let diskFreeShare: UInt64 = 20
    /// Free space that suffices on any disk.
    package static let diskFreeBytesEnough: UInt64 = 4 * 1024 * 1024 * 1024
    /// The bytes written between two waits for the disk: the most that a power cut costs, and few enough for a memory
    /// card.
    package static let blobSyncBytes = 1024 * 1024
    /// The most files of one name in a directory, distinguished by numbers, before a save is refused.
    package static let savedNamesMax = 999
}
