import Foundation

/// The checkout whose tests these are, as files.
enum Repository {
    /// Found from this file, through symbolic links; the environment's `TOUR_CHAT_ROOT` overrules it.
    static let root: URL = {
        if let path = ProcessInfo.processInfo.environment["TOUR_CHAT_ROOT"] {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        return URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }()

    static let sources = swiftFiles(under: "Sources")
    static let tests = swiftFiles(under: "Tests")

    /// The names of the folders of `Sources`.
    static func targets() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url("Sources").path)
            .filter { isDirectory("Sources/" + $0) }
            .sorted()
    }

    static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }

    /// Every Swift file below a folder, in the order of the paths.
    private static func swiftFiles(under folder: String) -> [SourceFile] {
        let paths = FileManager.default.enumerator(atPath: url(folder).path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".swift") }.sorted().compactMap { SourceFile(path: folder + "/" + $0) }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var result: ObjCBool = false
        return FileManager.default.fileExists(atPath: url(path).path, isDirectory: &result) && result.boolValue
    }
}
