import Glibc

/// The contents found at a data directory's path, without changing anything.
package enum DirectoryContents: Hashable, Sendable {
    /// There is no such directory, or it is empty.
    case nothing
    /// A node's database, or its key.
    case node
    /// Something else, and nothing of a node.
    case foreign
}

extension DataDirectory {
    /// Names that an aborted start or restore leaves, and those of an empty file system.
    private static let remains: Set<String> = [
        ".", "..", "lock", "node.sock", "storage.key.new", "storage.key.next.new", "tour.sqlite.new", "backup.sqlite",
        "place", "lost+found",
    ]

    /// A directory that cannot be read counts as a node's: opening it will show why.
    package static func contents(of path: String) -> DirectoryContents {
        guard let directory = opendir(path) else { return errno == ENOENT ? .nothing : .node }
        defer { closedir(directory) }
        var contents = DirectoryContents.nothing
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "tour.sqlite" || name == "storage.key" { return .node }
            if !remains.contains(name) { contents = .foreign }
        }
        return contents
    }
}
