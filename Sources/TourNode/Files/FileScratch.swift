import FoundationEssentials
import TourModel

/// Directories beside the store for temporary files. They are emptied when a node starts and when everything is
/// destroyed, so that a crash leaves nothing behind.
enum FileScratch {
    /// Pictures being prepared for a message.
    static let prepared = "prepared"
    /// Files that the user opened to look at; the command line writes there.
    static let opened = "opened"

    /// Files that a page is uploading, until they are complete.
    static let uploads = "uploads"

    static func clear(in directory: String) {
        for name in [prepared, opened, uploads] { try? FileManager.default.removeItem(atPath: "\(directory)/\(name)") }
    }

    /// - Returns: the path of a directory that only its user may enter.
    static func make(_ name: String, in directory: String) throws -> String {
        let path = "\(directory)/\(name)"
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw NodeError.file(.noScratch(directory))
        }
        return path
    }

    static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
