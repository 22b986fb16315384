import Glibc

/// The room of a file system, in bytes.
package struct DiskRoom: Hashable, Sendable {
    /// Beyond any disk, and far enough from the largest number that sums with a file's size do not overflow.
    private static let bytesMax: UInt64 = 1 << 62

    /// What there is.
    package let bytes: UInt64
    /// What is free of it for us.
    package let freeBytes: UInt64

    /// - Returns: nil when the system does not say it; `errno` says why.
    package init?(at path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        self.init(
            blocks: UInt64(status.f_blocks), freeBlocks: UInt64(status.f_bavail), blockBytes: UInt64(status.f_frsize))
    }

    /// What a file system said, in blocks: one without a bound of its own may say any numbers.
    package init(blocks: UInt64, freeBlocks: UInt64, blockBytes: UInt64) {
        func bytes(_ blocks: UInt64) -> UInt64 {
            let (bytes, overflow) = blocks.multipliedReportingOverflow(by: blockBytes)
            return overflow ? Self.bytesMax : min(bytes, Self.bytesMax)
        }
        self.bytes = bytes(blocks)
        freeBytes = bytes(freeBlocks)
    }
}
