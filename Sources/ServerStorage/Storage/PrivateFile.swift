import Foundation
import Glibc
import ServerBase

/// A file with a secret of the operator's, which nobody else may read.
enum PrivateFile {
    /// - Parameter what: what the file holds, for the operator.
    /// - Returns: at most the first `bytesMax` bytes.
    /// - Throws: `unavailable` when the file cannot be read, is empty, or others may read it.
    static func text(_ path: String, _ what: String, bytesMax: Int) throws(Failure) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Failure(.unavailable, cause: "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        // The attributes are those of a link itself.
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let mode = try? FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int
        guard let mode, mode & 0o077 == 0 else {
            throw Failure(.unavailable, cause: "others may read the \(what) in \(path): chmod 600 \(path)")
        }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { throw Failure(.unavailable, cause: "there is no \(what) in \(path)") }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
