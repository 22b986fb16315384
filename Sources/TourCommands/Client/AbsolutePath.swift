import Glibc

/// A path that means the same to the node, which was started elsewhere.
enum AbsolutePath {
    static func of(_ path: String) throws(CommandFailure) -> String {
        if path.hasPrefix("/") { return path }
        guard let here = getcwd(nil, 0) else { throw .system("cannot tell the working directory", errno: errno) }
        defer { free(here) }
        return String(cString: here) + "/" + path
    }
}
