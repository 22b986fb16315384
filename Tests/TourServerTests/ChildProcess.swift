import Foundation

/// Another program whose lines a test reads as they come.
///
/// What waits for it waits on a thread of its own: the tests' few threads are for the tests.
// One test uses it, one call after the other; the threads are handed over by continuations.
final class ChildProcess: @unchecked Sendable {
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
        // A child inherits the mask of the thread that starts it, and threads that run tests block most signals.
        var all = sigset_t()
        var before = sigset_t()
        sigemptyset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
    }

    private static func waiting<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try body() }) }.start()
        }
    }

    /// The first line that fits; those before it are dropped.
    /// - Throws: `Ended` when the program closes its output first.
    func line(where fits: @escaping @Sendable (String) -> Bool) async throws -> String {
        try await Self.waiting { try self.nextLine(where: fits) }
    }

    private func nextLine(where fits: (String) -> Bool) throws -> String {
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
    func end(_ signal: Int32) async throws -> Int32 {
        kill(process.processIdentifier, signal)
        return try await wait()
    }

    /// Waits for the end.
    func wait() async throws -> Int32 {
        try await Self.waiting {
            self.process.waitUntilExit()
            return self.process.terminationStatus
        }
    }
}
