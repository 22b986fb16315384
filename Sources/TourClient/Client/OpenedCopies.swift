// The module that declares `stat`, this one or Glibc, depends on the order in which the compiler meets them.
import CDispatch
import Glibc
import TourAPI
import TourWords

/// The copies of files that the user opened: in the data directory, for the user alone, until a node next starts.
struct OpenedCopies {
    private static let directoryMode: mode_t = 0o700
    private static let fileMode: mode_t = 0o400
    /// Digits of a message's id, enough that no two files of a node share them.
    private static let idDigits = 16

    /// An absolute path: where the copy of one file goes.
    let directory: String
    private let path: String
    private let size: UInt64

    /// Creates the directory if it is missing.
    init(of file: FileSummary, dataDirectory: String) throws(CommandFailure) {
        let parent = try AbsolutePath.of(dataDirectory) + "/opened"
        directory = parent + "/" + file.id.prefix(Self.idDigits)
        path = directory + "/" + file.name
        size = file.size
        for directory in [parent, directory] { try Self.make(directory) }
    }

    private static func make(_ directory: String) throws(CommandFailure) {
        guard mkdir(directory, directoryMode) == 0 || errno == EEXIST else {
            throw .system(Phrase("cannot make \(directory)"), errno: errno)
        }
        var status = stat()
        guard lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            chmod(directory, directoryMode) == 0
        else { throw CommandFailure(code: "bad-path", message: Phrase("\(directory) is no directory of this user")) }
    }

    /// The copy that was made before, if it still exists.
    var earlier: String? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o777 == Self.fileMode,
            UInt64(clamping: status.st_size) == size
        else { return nil }
        return path
    }

    /// Makes a copy read-only, so that nobody mistakes it for a document of their own.
    /// - Returns: its first bytes.
    static func seal(_ path: String, startBytes: Int) throws(CommandFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(Phrase("cannot open \(path)"), errno: errno) }
        defer { close(descriptor) }
        guard fchmod(descriptor, fileMode) == 0 else { throw .system(Phrase("cannot protect \(path)"), errno: errno) }
        var start = [UInt8](repeating: 0, count: startBytes)
        let count = read(descriptor, &start, startBytes)
        return Array(start.prefix(max(count, 0)))
    }
}
