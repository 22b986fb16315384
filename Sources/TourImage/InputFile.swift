import Glibc
import SystemPackage
import TourModel

/// A file that the user named, open for reading: later reads see the opened file, whatever its name refers to by
/// then.
struct InputFile: ~Copyable {
    let descriptor: FileDescriptor
    /// In bytes.
    let size: Int64

    /// Opens a regular file; does not wait for a pipe or a device.
    init(_ path: String) throws(PictureError) {
        let number = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw .unreadable(code: errno) }
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(number)
            throw .notAFile
        }
        descriptor = FileDescriptor(rawValue: number)
        size = Int64(status.st_size)
    }

    /// Nil where its first bytes are those of no known picture.
    func format() throws(PictureError) -> PictureFormat? {
        PictureFormat(signature: try head(PictureFormat.signatureBytes))
    }

    /// Its first bytes, at most so many.
    func head(_ bytesMax: Int) throws(PictureError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        do {
            let count = try bytes.withUnsafeMutableBytes { try descriptor.read(fromAbsoluteOffset: 0, into: $0) }
            return Array(bytes.prefix(count))
        } catch let error as Errno {
            throw .unreadable(code: error.rawValue)
        } catch {
            throw .unreadable(code: EIO)
        }
    }

    deinit { try? descriptor.close() }
}
