import Glibc

/// Files that are written completely or not at all.
enum SmallFile {
    /// Puts the file in place in one step, and creates missing directories.
    /// - Returns: 0, or the error as an errno.
    static func replace(_ path: String, with bytes: [UInt8]) -> Int32 {
        let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let made = makeDirectories(directory)
        guard made == 0 else { return made }
        var template = Array((directory + "/.tour-chat-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return errno }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var result: Int32 = 0
        var rest = bytes[...]
        while !rest.isEmpty, result == 0 {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else { result = errno }
        }
        if close(descriptor) != 0, result == 0 { result = errno }
        if result == 0, rename(template, path) != 0 { result = errno }
        if result != 0 { unlink(template) }
        return result
    }

    private static func makeDirectories(_ path: String) -> Int32 {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return 0 }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return errno }
        let above = makeDirectories(String(path[..<slash]))
        guard above == 0 else { return above }
        return mkdir(path, 0o700) == 0 || errno == EEXIST ? 0 : errno
    }
}
