import Foundation
import Glibc

/// The program's code in memory. A start runs through ten times as much code as an idle node needs, and the system
/// keeps all of it mapped; what is given back it may drop before anything else, and what runs again it maps again, a
/// hundred pages in half a millisecond.
package enum CodePages {
    /// How long a start takes, with what follows it.
    private static let startTime: Duration = .seconds(10)
    /// How often the code of an hour's rare work is given back.
    private static let pause: Duration = .seconds(60)

    /// Gives back what is not in use, again and again.
    /// - Throws: when the task is cancelled.
    static func keepReleasing() async throws {
        try await Task.sleep(for: startTime)
        while true {
            release()
            try await Task.sleep(for: pause)
        }
    }

    /// Only code that comes from the program's file, which nothing changes: the system reads it anew from there. A
    /// library might be unloaded at this moment, and something else stand in its place.
    private static func release() {
        guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8),
            let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        else { return }
        for range in maps.split(separator: "\n").compactMap({ codeRange(of: $0, from: program) }) {
            guard let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound) else { continue }
            _ = madvise(start, range.count, MADV_DONTNEED)
        }
    }

    /// Where code of a file is mapped, as `/proc/PID/maps` says: `START-END r-xp OFFSET DEVICE INODE PATH`.
    /// - Returns: nil for a line about anything else.
    package static func codeRange(of line: some StringProtocol, from file: String) -> Range<UInt>? {
        let words = line.split(separator: " ", maxSplits: 5)
        guard words.count == 6, words[1] == "r-xp", words[5].drop(while: { $0 == " " }) == file else { return nil }
        let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1] else { return nil }
        return ends[0]..<ends[1]
    }
}
