import FoundationEssentials
import TourModel
import TourWords

/// Directories beside the store for what is there for a while only. They are emptied when a node starts and
/// when everything is destroyed: a crash leaves
/// nothing that is forgotten.
enum FileScratch {
    /// Pictures on their way into a message.
    static let prepared = "prepared"
    /// Files that were opened to be looked at; the command line writes there.
    static let opened = "opened"

    /// Files that a page sends, until they are whole.
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
            throw NodeError(
                "disk-full", Phrase("No directory can be made in \(directory): check the disk."), scope: .node)
        }
        return path
    }

    static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
