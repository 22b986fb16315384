import Glibc
import TourCrypto
import TourModel

/// The bytes of one file on the disk: sealed chunks at their offsets. Reads may run beside writes.
final class BlobData: Sendable {
    let shape: BlobShape
    private let descriptor: Int32

    /// - Parameter descriptor: open for reading and writing; this object closes it.
    init(_ shape: BlobShape, descriptor: Int32) {
        self.shape = shape
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Sets the file to its final length; new parts read as zeros.
    /// - Returns: whether it already had this length.
    func setSize() throws(StoreError) -> Bool {
        let found = try PrivateFile.size(of: descriptor)
        if UInt64(found) == shape.sealedSize { return true }
        guard ftruncate(descriptor, off_t(shape.sealedSize)) == 0 else { throw StoreError(errno: errno) }
        return false
    }

    /// See `PrivateFile.reserve`.
    func reserve() throws(StoreError) { try PrivateFile.reserve(descriptor, bytes: shape.sealedSize) }

    /// Writes a chunk at its offset. It survives the end of the process, but a power cut only after the next
    /// `synchronize`. The bytes that an error leaves there are no chunk; a later write replaces them.
    func write(_ sealed: [UInt8], chunk: Int) throws(StoreError) {
        precondition(sealed.count == shape.sealedBytes(chunk), "a sealed chunk of this file")
        let start = off_t(shape.sealedOffset(chunk))
        try PrivateFile.write(sealed, to: descriptor, at: start)
        // Writing out a megabyte at once would delay commits of messages, in this process and others. The last page is
        // shared with the next chunk and goes out with that.
        let pages = (start / Self.pageBytes, (start + off_t(sealed.count)) / Self.pageBytes)
        PrivateFile.writeOut(descriptor, from: pages.0 * Self.pageBytes, count: (pages.1 - pages.0) * Self.pageBytes)
    }

    private static let pageBytes: off_t = 4_096

    /// The bytes at the chunk's offset; fewer at the end of a file that is too short.
    func read(chunk: Int) throws(StoreError) -> [UInt8] {
        try PrivateFile.read(
            descriptor, count: shape.sealedBytes(chunk), at: off_t(shape.sealedOffset(chunk)))
    }

    /// Waits until the disk has everything written, and the file's length.
    func synchronize() throws(StoreError) {
        while fdatasync(descriptor) != 0 {
            guard errno == EINTR else { throw StoreError(errno: errno) }
        }
    }

    /// Finds the chunks present by their hashes. Reads only the parts that the file system has, not the holes.
    /// - Parameter hash: returns a chunk's hash; nil while its page is not known.
    func scan(hash: (Int) -> Bytes32?) throws(StoreError) -> ChunkSet {
        var found = ChunkSet(limit: shape.chunkCount)
        var chunk = 0
        while chunk < shape.chunkCount {
            guard let data = nextData(from: shape.sealedOffset(chunk)) else { break }
            if data >= shape.sealedOffset(chunk) + UInt64(shape.sealedBytes(chunk)) {
                chunk = Int(data / UInt64(Limits.blobChunkBytes + Limits.blobTagBytes))
                continue
            }
            if let hash = hash(chunk), BlobHash.chunk(try read(chunk: chunk)) == hash { found.insert(chunk) }
            chunk += 1
        }
        return found
    }

    /// - Returns: the next offset with written bytes; nil when there are no more.
    private func nextData(from offset: UInt64) -> UInt64? {
        let place = lseek(descriptor, off_t(offset), Self.seekData)
        if place >= 0 { return UInt64(place) }
        // The file system does not report holes.
        return errno == ENXIO ? nil : offset
    }

    /// SEEK_DATA of Linux, which Swift's C library module omits.
    private static let seekData: CInt = 3
}
