import Glibc

/// Small files that only their owner can read: mode 0600, never through a symbolic link.
package enum PrivateFile {
    /// Opens or creates the file and tightens its mode to 0600.
    ///
    /// - Returns: a descriptor that the caller closes.
    static func open(_ path: String, flags: Int32) throws(StoreError) -> Int32 {
        let descriptor = Glibc.open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno) }
        guard fchmod(descriptor, 0o600) == 0 else {
            let code = errno
            close(descriptor)
            throw StoreError(errno: code)
        }
        return descriptor
    }

    /// The name under which a file is written before it gets its own.
    static func temporary(_ path: String) -> String { path + ".new" }

    /// The directory part of a path, as written.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func size(of descriptor: Int32) throws(StoreError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreError(errno: errno) }
        return Int(status.st_size)
    }

    static func isDirectory(_ descriptor: Int32) throws(StoreError) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreError(errno: errno) }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a file of any kind exists; a dangling link counts.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether two names refer to one file.
    static func isSame(_ first: String, _ second: String) -> Bool {
        var (one, other) = (stat(), stat())
        guard lstat(first, &one) == 0, lstat(second, &other) == 0 else { return false }
        return one.st_ino == other.st_ino && one.st_dev == other.st_dev
    }

    /// - Returns: at most `limit` bytes; nil when there is no such file.
    package static func read(_ path: String, limit: Int) throws(StoreError) -> [UInt8]? {
        let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw StoreError(errno: errno)
        }
        defer { close(descriptor) }
        return try read(descriptor, count: limit)
    }

    /// The next bytes of an open file; fewer only at its end.
    static func read(_ descriptor: Int32, count wanted: Int) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: wanted)
        var filled = 0
        while filled < wanted {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), wanted - filled)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw StoreError(errno: errno) }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    /// After this returns the new content survives a power cut; until then the old content is intact.
    package static func replace(_ path: String, in directory: String, with bytes: [UInt8]) throws(StoreError) {
        let temporary = temporary(path)
        unlink(temporary)
        let descriptor = try open(temporary, flags: O_WRONLY | O_CREAT | O_EXCL)
        do throws(StoreError) {
            try write(bytes, to: descriptor)
            guard fsync(descriptor) == 0 else { throw StoreError(errno: errno) }
            guard rename(temporary, path) == 0 else { throw StoreError(errno: errno) }
        } catch {
            close(descriptor)
            unlink(temporary)
            throw error
        }
        close(descriptor)
        try synchronize(directory: directory)
    }

    /// Writes everything, or throws; `ENOSPC` becomes `diskFull`.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw StoreError(errno: errno) }
            written += count
        }
    }

    /// The bytes from this offset; fewer only at the file's end. Does not move the file's own position.
    static func read(_ descriptor: Int32, count wanted: Int, at offset: off_t) throws(StoreError) -> [UInt8] {
        var filled = 0
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
            while filled < wanted {
                let target = buffer.baseAddress?.advanced(by: filled)
                let count = pread(descriptor, target, wanted - filled, offset + off_t(filled))
                if count < 0 && errno == EINTR { continue }
                if count < 0 { code = errno }
                if count <= 0 { break }
                filled += count
            }
            initialized = filled
        }
        guard code == 0 else { throw StoreError(errno: code) }
        return bytes
    }

    /// Writes everything from this offset, or throws; `ENOSPC` becomes `diskFull`.
    static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: off_t) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written,
                    offset + off_t(written))
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw StoreError(errno: errno) }
            written += count
        }
    }

    /// Sets the file's length and reserves its disk space at once, so that a full disk shows before anything is
    /// written. On a file system that cannot do this a write will show it.
    static func reserve(_ descriptor: Int32, bytes: UInt64) throws(StoreError) {
        guard bytes > 0, let reserve = fallocate, reserve(descriptor, 0, 0, off_t(bytes)) != 0 else { return }
        let code = errno
        guard [ENOSPC, EDQUOT, EFBIG].contains(code) else { return }
        throw StoreError(errno: code)
    }

    /// Swift's C library module omits it, and another C library may lack it.
    private static let fallocate: (@convention(c) (CInt, CInt, off_t, off_t) -> CInt)? = dlsym(nil, "fallocate").map {
        unsafeBitCast($0, to: (@convention(c) (CInt, CInt, off_t, off_t) -> CInt).self)
    }

    /// Starts writing the data to the disk now, before anybody waits for it, and without a commit of the file system's
    /// journal: only `fdatasync` shows what is durable, and whether all went well. Where a C library cannot do this,
    /// everything goes out with that.
    ///
    /// - Parameter waits: whether to wait until the disk has accepted it.
    static func writeOut(_ descriptor: Int32, from start: off_t, count: off_t, waits: Bool = false) {
        // SYNC_FILE_RANGE_WRITE; with WAIT_BEFORE and WAIT_AFTER it waits.
        _ = writeOut?(descriptor, start, count, waits ? 1 | 2 | 4 : 2)
    }

    /// `sync_file_range`, omitted like `fallocate`.
    private static let writeOut = dlsym(nil, "sync_file_range").map {
        unsafeBitCast($0, to: (@convention(c) (CInt, off_t, off_t, CUnsignedInt) -> CInt).self)
    }

    /// Makes renames and new names in the directory durable.
    static func synchronize(directory: String) throws(StoreError) {
        let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StoreError(errno: errno) }
    }
}
