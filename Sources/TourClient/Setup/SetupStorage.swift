// The module that declares `stat`, this one or Glibc, depends on the order in which the compiler meets them.
import CDispatch
import Glibc
import TourModel
import TourWords

/// An opened settings file: a named one, or standard input.
struct SetupStorage: Sendable {
    private let descriptor: Int32
    private let isOurs: Bool

    /// - Parameter path: nil: standard input, reopened for writing too.
    init(path: String?) throws(CommandFailure) {
        guard let path else {
            descriptor = STDIN_FILENO
            isOurs = false
            return
        }
        let opened = open(path, O_RDWR | O_CLOEXEC)
        guard opened >= 0 else { throw .system(Phrase("cannot open \(path)"), errno: errno) }
        descriptor = opened
        isOurs = true
    }

    func close() { if isOurs { Glibc.close(descriptor) } }

    /// Whether standard output writes into the same file.
    var isOutput: Bool {
        var own = stat(), output = stat()
        guard fstat(descriptor, &own) == 0, fstat(STDOUT_FILENO, &output) == 0 else { return false }
        return own.st_dev == output.st_dev && own.st_ino == output.st_ino
    }

    /// The whole file, or one byte more than its limit.
    func read() throws(CommandFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: SettingsText.bytesMax + 1)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + length, $0.count - length, off_t(length))
            }
            guard count >= 0 else { throw .system(Phrase("cannot read the file"), errno: errno) }
            if count == 0 { break }
            length += count
        }
        return Array(bytes[..<length])
    }

    /// Overwrites every code in the file.
    /// - Parameter bytes: the file as it was read.
    /// - Throws: when the file cannot be written, or has changed since it was read.
    func wipe(_ file: SetupFile, asRead bytes: [UInt8]) throws(CommandFailure) {
        guard try read() == bytes else {
            throw CommandFailure(
                code: "setup-changed", message: Phrase("The file was changed meanwhile: take the code out of it."))
        }
        for (range, text) in file.wiping {
            guard pwrite(descriptor, text, text.count, off_t(range.lowerBound)) == text.count else { throw .notWiped }
        }
        // Some file systems do not support this; their cached data is written with everything else.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .notWiped }
    }
}

extension CommandFailure {
    /// The reason is in `errno`.
    fileprivate static var notWiped: CommandFailure {
        .system(Phrase("the code is still in the file, take it out yourself: the file cannot be written"), errno: errno)
    }
}
