import Glibc
import TourWords

/// Error numbers of the system, in words for people.
package enum SystemError {
    /// A sentence in the reader's language for common errors; else the system's own words, which are English.
    package static func words(_ code: Int32) -> Phrase {
        switch code {
        case EACCES, EPERM: Phrase("permission denied")
        case ENOENT: Phrase("there is no such file")
        case ENOTDIR: Phrase("a part of this path is a file and no directory")
        case EISDIR: Phrase("this is a directory: name a file in it")
        case EROFS: Phrase("this disk cannot be written: it is mounted read-only")
        case ENAMETOOLONG, ELOOP: Phrase("this name is too long, or goes by links in a circle")
        case ENOSPC, EDQUOT: Phrase("the disk is full: free some space and try again")
        case EMFILE, ENFILE: Phrase("too many files are open: end other programs and try again")
        case EADDRINUSE: Phrase("another program has this port")
        default: Phrase(verbatim: text(code))
        }
    }

    private static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
