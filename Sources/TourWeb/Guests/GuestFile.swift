import CPage

/// A file of the page that guests load: phones without a program of ours. It is part of the program.
package enum GuestFile {
    /// By their paths below the page's folder.
    package static let all = table

    /// Keeps the page's files in a browser: begins with what these are, so that a browser sees when one has changed.
    package static let worker = "worker.js"

    private static var table: [String: PageFile] {
        var files = PageFile.table(count: guest_count(), at: { guest_at($0) })
        guard let file = files.removeValue(forKey: worker) else { return files }
        let paths = files.keys.sorted().map { $0 == "index.html" ? "/" : "/\($0)" }
        let names = paths.map { "'\($0)'" }.joined(separator: ", ")
        let version = PageFile.digest(files.sorted { $0.key < $1.key }.flatMap { "\($0.key) \($0.value.tag) ".utf8 })
        let head = "const VERSION = '\(version)', FILES = [\(names)];"
        files[worker] = file.headed(by: head, path: worker)
        return files
    }
}
