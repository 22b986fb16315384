import Dispatch
import Foundation

/// A directory of this process in memory, where inputs leave nothing behind.
enum Scratch {
    /// It goes at the end of the process, found or not found.
    private static let root: String = {
        atexit { try? FileManager.default.removeItem(atPath: Scratch.root) }
        return "/dev/shm/tour-fuzz-\(getpid())"
    }()

    /// The path of what is no longer there, in a directory that is.
    static func fresh(_ name: String) -> String {
        let path = root + "/" + name
        try? FileManager.default.removeItem(atPath: path)
        try? FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return path
    }
}

/// Waits for what takes tasks: an input is played from its beginning to its end.
func waiting<Value: Sendable>(for work: @escaping @Sendable () async -> Value) -> Value {
    let done = DispatchSemaphore(value: 0)
    // Written before the signal, read behind it.
    nonisolated(unsafe) var value: Value?
    Task.detached {
        value = await work()
        done.signal()
    }
    done.wait()
    guard let value else { preconditionFailure("the work came to its end") }
    return value
}
