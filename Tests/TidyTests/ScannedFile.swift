/// One file of Sources with what `TypeScanner` read in it.
struct ScannedFile {
    /// Relative to the repository's root.
    let path: String
    let parts: [TypeScanner.Part]
    let names: TypeScanner.Names
    let isBalanced: Bool

    /// Every file of Sources that people write.
    static let all = Repository.sources.filter { !$0.isGenerated }.map(ScannedFile.init)

    init(_ file: SourceFile) {
        let scanner = TypeScanner(code: file.code)
        path = file.path
        parts = scanner.parts
        names = scanner.names
        isBalanced = scanner.isBalanced
    }

    var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    /// The folders from `Sources` to the file, without `Sources`.
    var folders: [String] { path.split(separator: "/").dropFirst().dropLast().map(String.init) }
}
