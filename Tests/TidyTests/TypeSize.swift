/// How large a type is, with all its extensions in its module. A type inside another counts for itself alone.
struct TypeSize: Equatable {
    let module: String
    /// `Outer.Inner`; a private type's name ends with its file, since another file may have one of the same name.
    let name: String
    /// Comments and empty ones too.
    var lines = 0
    var properties = 0
    /// Files that extend it, without the one that declares it.
    var files = 0

    /// Every type that Sources declare. An extension of another module's type is part of no size.
    static let all = sizes(in: ScannedFile.all)

    /// - Returns: by module and name.
    static func sizes(in files: [ScannedFile]) -> [TypeSize] {
        var sizes: [String: TypeSize] = [:]
        var declaring: [String: Set<String>] = [:]
        var extending: [String: Set<String>] = [:]
        for file in files {
            let hidden = Set(file.parts.filter(\.isPrivate).map(\.name))
            for part in file.parts {
                let name = isHidden(part.name, by: hidden) ? "\(part.name) (\(file.name))" : part.name
                let key = "\(file.module)/\(name)"
                sizes[key, default: TypeSize(module: file.module, name: name)].lines += part.lines
                sizes[key]?.properties += part.properties
                if part.isExtension {
                    extending[key, default: []].insert(file.path)
                } else {
                    declaring[key, default: []].insert(file.path)
                }
            }
        }
        for (key, paths) in extending { sizes[key]?.files = paths.subtracting(declaring[key] ?? []).count }
        return sizes.filter { declaring[$0.key] != nil }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Whether a type, or one around it, is private.
    private static func isHidden(_ name: String, by hidden: Set<String>) -> Bool {
        guard !hidden.isEmpty else { return false }
        var path = ""
        for step in name.split(separator: ".") {
            path += path.isEmpty ? step : "." + step
            if hidden.contains(path) { return true }
        }
        return false
    }
}
