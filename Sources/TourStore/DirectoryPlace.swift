import Glibc

/// Distinguishes a data directory from a copy of it. Source: `Protocol/01-identity.md`, "Copies".
///
/// An empty file is created once and never touched again: a copy of the directory, or its unpacked archive, contains
/// another file, with another inode number or another time of last change, which nobody can set. A block-by-block copy
/// of the disk keeps both; there the machine's identity differs.
package enum DirectoryPlace {
    private static let machineFiles = ["/etc/machine-id", "/sys/firmware/devicetree/base/serial-number"]
    private static let machineBytesMax = 64

    /// Identical at every start of one directory on one machine. Only compared, stored sealed, and never sent.
    package static func fingerprint(_ directory: DataDirectory) throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        for path in machineFiles {
            // Not every machine has both files.
            let id = try? PrivateFile.read(path, limit: machineBytesMax)
            bytes += (id ?? []) + [0]
        }
        let status = try mark(directory.place)
        let text = "\(status.st_ino) \(status.st_ctim.tv_sec) \(status.st_ctim.tv_nsec)"
        return bytes + Array(text.utf8)
    }

    private static func mark(_ path: String) throws(StoreError) -> stat {
        let descriptor = open(path, O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreError(errno: errno) }
        return status
    }
}
