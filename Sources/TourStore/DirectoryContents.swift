import Glibc

/// What lies where a node's data is to be, told without touching it.
package enum DirectoryContents: Hashable, Sendable {
    /// There is no such directory, or nothing in it.
    case nothing
    /// A node's database, or the key to it.
    case node
    /// Something, and nothing of a node.
    case foreign
}

extension DataDirectory {
    /// What a start or a restore that went no further leaves, and what a file system of its own begins with.
    private static let remains: Set<String> = [
        ".", "..", "lock", "node.sock", "storage.key.new", "storage.key.next.new", "tour.sqlite.new", "backup.sqlite",
        "place", "lost+found",
    ]

    /// What cannot be looked into counts as a node's: why not is said when it is opened.
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
