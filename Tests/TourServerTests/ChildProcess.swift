import Foundation

/// Another program whose lines a test reads as they come.
final class ChildProcess {
    struct Ended: Error {}

    private let process = Process()
    private let output = Pipe()
    private var unread = Data()

    /// - Parameter environment: added to our own.
    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    /// The first line that fits; those before it are dropped.
    /// - Throws: `Ended` when the program closes its output first.
    func line(where fits: (String) -> Bool) throws -> String {
        while true {
            while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
                unread = unread[unread.index(after: end)...]
                if fits(line) { return line }
            }
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw Ended() }
            unread += piece
        }
    }

    /// Sends the signal and waits for the end.
    /// - Returns: the exit status, or the signal that ended it.
    @discardableResult
    func end(_ signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Waits for the end.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
