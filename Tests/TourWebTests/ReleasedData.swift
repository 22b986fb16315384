import Foundation
import Testing
import TourJSON
import TourWeb

/// What a released version left behind: a folder of `Tests/Releases`.
struct ReleasedData: Sendable, CustomTestStringConvertible {
    struct Failed: Error {}

    let folder: URL

    var testDescription: String { folder.lastPathComponent }

    /// Every version that there is.
    static let all: [ReleasedData] = {
        let place = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Releases")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.sorted().map { ReleasedData(folder: place.appendingPathComponent($0)) }
            .filter { FileManager.default.fileExists(atPath: $0.path("expected.json")) }
    }()

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// What that version said of its data.
    var expected: JSON {
        get throws { try JSON(parsing: Array(Data(contentsOf: folder.appendingPathComponent("expected.json")))) }
    }

    /// Unpacks a data directory.
    func unpack(_ name: String, into directory: String) throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "tar", "--extract", "--gzip", "--file", path("\(name).tar.gz"), "--directory", directory,
        ]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
    }
}
