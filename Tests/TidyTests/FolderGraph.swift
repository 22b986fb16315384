/// Which of the folders beside each other in one folder use which.
///
/// The rule: of the folders inside a module's folder none depends on itself by way of others, and the same holds for
/// those inside any of them. Each is taken with all that is below it. The files beside them are free in both
/// directions: they hold the type that the folders are parts of and the values that all of them share, and a module
/// without folders is nothing but such files.
///
/// How it is read, by names alone, since nobody resolves types here:
/// - A folder owns a type (an alias too), and a method or property that stands in an extension of a type which another
///   file declares, if the files of this folder alone declare one of that name in that type. Private declarations count
///   for nothing.
/// - A file uses a type outside of all types by its bare name, unless a function, closure or private declaration of the
///   file gives that name to something.
/// - A file uses a type inside another, and a member, as `Outer.Inner` and `Type.member`; by the bare name, or after
///   `self` or `Self`, only inside that type or an extension of it, in a file that declares no such name of its own.
/// - A file uses a member after any other dot only if this folder alone, in all modules, declares a member of that
///   name: whose member it is, is not known.
///
/// So it does not see overloads in several folders, values that reach a folder without the name of their type, stored
/// properties and methods in a type's own file, functions outside of types, and most members that are named like one
/// elsewhere. It sees too much where a library from outside has a member named like one of ours.
struct FolderGraph {
    struct Edge: Hashable, Comparable {
        var from: String
        var to: String

        static func < (one: Edge, other: Edge) -> Bool { (one.from, one.to) < (other.from, other.to) }
    }

    /// The folder around those of the graph, below Sources.
    let folder: String
    /// With the names that are used.
    let edges: [Edge: Set<String>]

    /// One for each folder of Sources that has several folders.
    static let all = graphs(of: ScannedFile.all)

    static func graphs(of files: [ScannedFile]) -> [FolderGraph] {
        var modules: [String: Set<String>] = [:]
        for file in files {
            for name in file.names.members { modules[name, default: []].insert(file.module) }
        }
        return Dictionary(grouping: files, by: \.module).sorted { $0.key < $1.key }.flatMap { _, files in
            folders(of: files).compactMap { folder in
                FolderGraph(folder: folder, files: files) { modules[$0]?.count == 1 }
            }
        }
    }

    /// Every folder that is above a file, the module's own too.
    private static func folders(of files: [ScannedFile]) -> [[String]] {
        let all = files.flatMap { file in file.folders.indices.map { Array(file.folders[...$0]) } }
        return Set(all).sorted { $0.joined(separator: "/") < $1.joined(separator: "/") }
    }

    /// Nil where fewer than two folders stand beside each other.
    private init?(folder: [String], files: [ScannedFile], isOfOneModule: (String) -> Bool) {
        let places = files.map { file in
            let isBelow = file.folders.starts(with: folder) && file.folders.count > folder.count
            return isBelow ? file.folders[folder.count] : nil
        }
        guard Set(places.compactMap { $0 }).count > 1 else { return nil }
        let placed = Array(zip(files, places))
        let owned = Self.owned(placed)
        let members = Self.owners(placed, \.members)
        var edges: [Edge: Set<String>] = [:]
        for case (let file, let place?) in placed {
            let ours = file.names.members.union(file.names.bound)
            func use(_ name: Owned) {
                if name.owner != place { edges[Edge(from: place, to: name.owner), default: []].insert(name.name) }
            }
            for (path, words) in file.names.bare {
                let types = path.split(separator: ".").map(String.init)
                for word in words where !file.names.bound.contains(word) {
                    for name in owned[word] ?? [] where name.isNamedBare(in: types, unless: ours) { use(name) }
                }
            }
            for word in file.names.dotted.subtracting(ours) where isOfOneModule(word) && members[word]?.count == 1 {
                for name in owned[word] ?? [] where name.isMember { use(name) }
            }
            for pair in file.names.pairs {
                let words = pair.split(separator: ".").map(String.init)
                for name in owned[words[1]] ?? [] where name.type == words[0] { use(name) }
            }
        }
        self.folder = folder.joined(separator: "/")
        self.edges = edges
    }

    /// A name that one folder declares.
    private struct Owned {
        var type: String?
        var name: String
        var isMember: Bool
        var owner: String

        /// Whether the bare name means it between the braces of these types.
        func isNamedBare(in types: [String], unless ours: Set<String>) -> Bool {
            type.map { types.contains($0) && !ours.contains(name) } ?? true
        }
    }

    /// By the name without its type.
    private static func owned(_ files: [(ScannedFile, String?)]) -> [String: [Owned]] {
        var owned: [String: [Owned]] = [:]
        for (path, isMember) in [(\TypeScanner.Names.types, false), (\.extensionMembers, true)] {
            for (key, places) in owners(files, path) where places.count == 1 {
                guard let owner = places.first ?? nil, let name = key.split(separator: ".").last else { continue }
                let type = key.split(separator: ".").dropLast().first.map(String.init)
                owned[String(name), default: []]
                    .append(Owned(type: type, name: String(name), isMember: isMember, owner: owner))
            }
        }
        return owned
    }

    /// Which folders declare each name; nil is a file beside the folders, or elsewhere in the module.
    private static func owners(
        _ files: [(ScannedFile, String?)], _ names: KeyPath<TypeScanner.Names, Set<String>>
    ) -> [String: Set<String?>] {
        var owners: [String: Set<String?>] = [:]
        for (file, place) in files {
            for name in file.names[keyPath: names] { owners[name, default: []].insert(place) }
        }
        return owners
    }

    /// The edges that lie on some way from a folder back to itself.
    var cyclic: [Edge] {
        edges.keys.filter { reached(from: $0.to).contains($0.from) }.sorted()
    }

    private func reached(from start: String) -> Set<String> {
        var reached: Set = [start], open = [start]
        while let next = open.popLast() {
            for edge in edges.keys where edge.from == next && reached.insert(edge.to).inserted { open.append(edge.to) }
        }
        return reached
    }

    /// A line for each edge of a cycle, with some of the names.
    var lines: [String] {
        cyclic.map { edge in
            let names = (edges[edge] ?? []).sorted()
            let more = names.count > 4 ? " and \(names.count - 4) more" : ""
            return "\(edge.from) -> \(edge.to): \(names.prefix(4).joined(separator: ", "))\(more)"
        }
    }
}
