// The module that declares `stat`, CDispatch, CoreFoundation or Glibc, depends on the order in which the compiler meets
// them.
import CDispatch
import CoreFoundation
import Glibc

/// New files and folders of a data directory. Root gives each that it makes there to the owner of the folder around it:
/// a server that runs as that owner could not read what a command of root's leaves behind.
enum OwnedFile {
    /// Opens a file, which is made with mode 0600 if missing. No symbolic link is followed.
    /// - Parameter flags: with `O_EXCL` where there may be none yet.
    /// - Returns: a number below 0, with the cause in `errno`, where it cannot be opened.
    static func open(_ path: String, _ flags: Int32) -> Int32 {
        let flags = flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC
        let made = Glibc.open(path, flags | O_EXCL, 0o600)
        if made >= 0 { return give(made, path) }
        return errno == EEXIST && flags & O_EXCL == 0 ? Glibc.open(path, flags, 0o600) : made
    }

    /// Makes a folder with mode 0700.
    /// - Returns: false, with the cause in `errno`, where it cannot be made; `EEXIST` for one that is there.
    static func makeFolder(_ path: String) -> Bool {
        guard mkdir(path, 0o700) == 0 else { return false }
        let made = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard made >= 0, give(made, path) >= 0 else { return false }
        close(made)
        return true
    }

    /// - Returns: the descriptor; below 0, with the file gone, where its owner would not be the folder's.
    private static func give(_ made: Int32, _ path: String) -> Int32 {
        guard geteuid() == 0 else { return made }
        var folder = stat()
        let isFound = stat(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", &folder) == 0
        if isFound, folder.st_uid == 0 || fchown(made, folder.st_uid, folder.st_gid) == 0 { return made }
        let cause = errno
        close(made)
        unlink(path)
        errno = cause
        return -1
    }
}
