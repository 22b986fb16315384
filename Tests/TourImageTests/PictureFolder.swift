import Foundation
import Glibc
import Testing
import TourImage

/// A scratch directory that is gone when the test is: `in` has what a test makes, `out` what the tool leaves.
final class PictureFolder: Sendable {
    let path: String
    private let mounted: Bool

    struct Failed: Error {
        var what: String
    }

    /// - Parameter kibibytes: the size of a file system of its own for `out`; nil for a plain directory.
    init(kibibytes: Int? = nil) throws {
        var template = Array("/tmp/tour-image-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failed(what: "mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        mounted = kibibytes != nil
        guard mkdir(path + "/in", 0o700) == 0, mkdir(path + "/out", 0o700) == 0 else { throw Failed(what: "mkdir") }
        if let kibibytes, mount("tmpfs", path + "/out", "tmpfs", 0, "size=\(kibibytes)k") != 0 {
            throw Failed(what: "mount")
        }
    }

    deinit {
        if mounted { umount2(out, 2) }
        try? FileManager.default.removeItem(atPath: path)
    }

    var out: String { path + "/out" }

    /// The names of what is left where pictures are prepared.
    var left: [String] { (try? FileManager.default.contentsOfDirectory(atPath: out).sorted()) ?? ["unreadable"] }

    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/in/" + name))
        return path + "/in/" + name
    }

    /// A program of the tests, found where those of the system are looked for.
    func program(_ name: String, _ lines: String) throws {
        try Data("#!/bin/sh\n\(lines)\n".utf8).write(to: URL(fileURLWithPath: path + "/" + name))
        guard chmod(path + "/" + name, 0o700) == 0 else { throw Failed(what: "chmod") }
    }

    /// A tool that finds the programs of the tests, and the system's where there are none.
    func tool(bounds: ChildBounds = ChildBounds()) -> PictureTool {
        PictureTool(folders: [path, "/usr/bin", "/bin"], bounds: bounds)
    }

    static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// Runs a program of libvips on files that a test made itself.
    /// - Returns: what it says.
    @discardableResult
    static func vips(_ arguments: String...) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/vips")
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let words = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(what: arguments.joined(separator: " ")) }
        return String(decoding: words, as: UTF8.self)
    }

    /// The numbers of one pixel.
    static func pixel(_ path: String, _ x: Int, _ y: Int) throws -> [Int] {
        try vips("getpoint", path, "\(x)", "\(y)").split { $0 == " " || $0 == "\n" }.map { Int(Double($0) ?? -1) }
    }
}
