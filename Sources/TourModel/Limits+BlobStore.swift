/// What files of others and our own take of a disk. Source: `Protocol/11-blobs.md`, "Keeping".
extension Limits {
    /// Of one tour, counted in whole sealed chunks: a week's pictures of 20 members. So a tour has 32,760 files at
    /// most.
    package static let blobTourBytesMax: UInt64 = 2 * 1024 * 1024 * 1024
    /// Of what one member put into a tour and nobody here asked for: one of them cannot push out what all others sent.
    package static let blobAuthorBytesMax: UInt64 = 512 * 1024 * 1024
    /// What files leave free on the disk: messages, the database's log and other programs need some.
    package static let diskFreeBytesMin: UInt64 = 200 * 1024 * 1024
    /// The same as a share of the disk, one of so many parts; on a large disk no more than `diskFreeBytesEnough`.
    package static let diskFreeShare: UInt64 = 20
    package static let diskFreeBytesEnough: UInt64 = 4 * 1024 * 1024 * 1024
    /// Written between two waits for the disk: what a power cut costs at most, and few enough for a memory card.
    package static let blobSyncBytes = 1024 * 1024
    /// Files of one name in a directory, told apart by numbers, before a save is refused.
    package static let savedNamesMax = 999
}
