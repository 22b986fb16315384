import Glibc
import SystemPackage

/// A directory that only this user can read, for the length of one task; removed with its contents.
struct WorkDirectory: ~Copyable {
    /// Absolute.
    let path: String

    /// - Parameter parent: an existing directory.
    init(in parent: String) throws(PictureError) {
        guard let absolute = realpath(parent, nil) else { throw .unwritable(code: errno) }
        defer { free(absolute) }
        var template = Array("\(String(cString: absolute))/picture-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .unwritable(code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The name of a picture of this format in the directory.
    static func name(_ format: PictureFormat) -> String { "picture.\(format.fileExtension)" }

    func file(_ format: PictureFormat) -> String { "\(path)/\(Self.name(format))" }

    /// Moves the picture to the parent directory under its name, readable by its owner only.
    ///
    /// - Returns: its path.
    func keep(_ format: PictureFormat) throws(PictureError) -> String {
        let kept = "\(path).\(format.fileExtension)"
        guard chmod(file(format), 0o600) == 0, rename(file(format), kept) == 0 else { throw .unwritable(code: errno) }
        return kept
    }

    deinit {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                unlinkat(dirfd(directory), name, 0)
            }
            closedir(directory)
        }
        rmdir(path)
    }
}
