import TourModel

// Files of this machine that are imported into a notebook or exported from it.
extension TourStore {
    /// A regular file's bytes, read once from end to end.
    /// - Throws: `badPath` for a file that is missing, not regular, longer than `bytesMax`, or that changes meanwhile.
    package static func bytes(ofFile path: String, bytesMax: Int) throws(StoreError) -> [UInt8] {
        let file = try SourceFile(path)
        guard file.size <= UInt64(bytesMax) else { throw .badPath(path, .tooLong) }
        let bytes = try file.read(count: Int(file.size))
        try file.checkUnchanged()
        return bytes
    }

    /// Saves a file for the user under an unused name: it never overwrites another file.
    /// - Parameter directory: an absolute path.
    /// - Returns: the path: "photo (2).jpg" if there is already a "photo.jpg".
    /// - Throws: `badPath`, `diskFull`.
    package static func save(
        _ bytes: [UInt8], in directory: String, named name: SafeFileName
    ) throws(StoreError) -> String {
        let target = try TargetFile(in: directory)
        try target.reserve(UInt64(bytes.count))
        try target.write(bytes)
        return try target.keep(as: name)
    }
}
