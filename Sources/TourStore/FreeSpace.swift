import Glibc

/// The size and free space of a file system, in bytes.
package struct FreeSpace: Hashable, Sendable {
    /// Larger than any disk, and small enough that sums with a file's size do not overflow.
    private static let bytesMax: UInt64 = 1 << 62

    /// The total size.
    package let bytes: UInt64
    /// The free space for us.
    package let freeBytes: UInt64

    /// - Returns: nil when the system does not report it; `errno` has the reason.
    package init?(at path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        self.init(
            blocks: UInt64(status.f_blocks), freeBlocks: UInt64(status.f_bavail), blockBytes: UInt64(status.f_frsize))
    }

    /// A file system's own numbers, in blocks: one without a fixed size may report any.
    package init(blocks: UInt64, freeBlocks: UInt64, blockBytes: UInt64) {
        func bytes(_ blocks: UInt64) -> UInt64 {
            let (bytes, overflow) = blocks.multipliedReportingOverflow(by: blockBytes)
            return overflow ? Self.bytesMax : min(bytes, Self.bytesMax)
        }
        self.bytes = bytes(blocks)
        freeBytes = bytes(freeBlocks)
    }
}
