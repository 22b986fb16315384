// The module that declares `stat`, this one or Glibc, depends on the order in which the compiler meets them.
import CDispatch
import Glibc
import TourWords

/// A path that means the same to the node, which may have another working directory.
package enum AbsolutePath {
    /// - Throws: when the working directory is unknown.
    package static func of(_ path: String) throws(CommandFailure) -> String {
        if path.hasPrefix("/") { return path }
        guard let here = getcwd(nil, 0) else {
            throw .system(Phrase("cannot tell the working directory"), errno: errno)
        }
        defer { free(here) }
        var rest = path[...]
        while rest.hasPrefix("./") { rest = rest.dropFirst(2).drop { $0 == "/" } }
        let directory = String(cString: here)
        return rest.isEmpty || rest == "." ? directory : directory + (directory == "/" ? "" : "/") + rest
    }

    /// The same for a path that no shell has expanded: `~` is the user's home.
    /// - Parameter home: nil: not known.
    package static func ofTyped(
        _ path: String, home: String? = environmentValue("HOME")
    ) throws(CommandFailure) -> String {
        guard let home, path == "~" || path.hasPrefix("~/") else { return try of(path) }
        return home + path.dropFirst()
    }

    /// - Throws: where there is no such directory.
    package static func ofDirectory(_ path: String) throws(CommandFailure) -> String {
        let absolute = try of(path)
        var status = stat()
        guard stat(absolute, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw CommandFailure(code: "bad-path", message: Phrase("there is no directory \(path)"))
        }
        return absolute
    }
}
