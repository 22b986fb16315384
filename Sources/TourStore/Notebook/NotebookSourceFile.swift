import TourModel

// Files of this machine that go into a notebook, and come out of it.
extension TourStore {
    /// A regular file's bytes, read once from end to end.
    /// - Throws: `badPath`: none, no regular one, longer than `bytesMax`, or changed meanwhile.
    package static func bytes(ofFile path: String, bytesMax: Int) throws(StoreError) -> [UInt8] {
        let file = try SourceFile(path)
        guard file.size <= UInt64(bytesMax) else { throw .badPath(path, .tooLong) }
        let bytes = try file.read(count: Int(file.size))
        try file.checkUnchanged()
        return bytes
    }

    /// Writes a file of the user's under a name that nobody has there: another one is never overwritten.
    /// - Parameter directory: absolute.
    /// - Returns: where it is: "photo (2).jpg" where there is a "photo.jpg".
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
