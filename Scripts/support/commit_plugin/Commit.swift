import Foundation
import PackagePlugin

/// Writes the commit into a program. The manifest could not: SwiftPM keeps a manifest's result, and would name an older
/// commit. Nor could a command before each build: SwiftPM runs such only when it plans anew.
@main struct Commit: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        let (package, folder) = (context.package.directoryURL, context.pluginWorkDirectoryURL)
        let script = package.appending(path: "Scripts/support/commit")
        let output = folder.appending(path: "Commit.swift")
        return [
            .buildCommand(
                displayName: "Looking up the commit", executable: script, arguments: [package.path, output.path],
                inputFiles: [script] + Self.repository(of: package)
                    + Self.files(below: package.appending(path: "Sources")),
                outputFiles: [output])
        ]
    }

    /// The files of git that a commit, a checkout or a change of the index writes.
    private static func repository(of package: URL) -> [URL] {
        var folder = package.appending(path: ".git")
        // In a worktree this is a file that names the folder.
        if let text = try? String(contentsOf: folder, encoding: .utf8),
            let place = text.wholeMatch(of: /gitdir: (.+)\n/)
        {
            folder = URL(filePath: String(place.output.1), relativeTo: package)
        }
        return ["HEAD", "logs/HEAD", "index"].map { folder.appending(path: $0) }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// A change of any of them makes the tree another than the commit's.
    private static func files(below folder: URL) -> [URL] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.sorted().map { folder.appending(path: $0) }
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) ?? false }
    }
}
