import TourModel

/// Bytes a second over the last three seconds.
struct RateMeter {
    private static let seconds: Int64 = 3

    private var marks: [(at: Instant, bytes: UInt64)] = []

    mutating func record(_ bytes: Int, at now: Instant) {
        if let last = marks.last, (now - last.at).microseconds < 100_000 {
            marks[marks.count - 1].bytes += UInt64(bytes)
        } else {
            marks.append((now, UInt64(bytes)))
        }
        prune(now)
    }

    func rate(at now: Instant) -> UInt64 {
        marks.reduce(0) { Self.isOld($1.at, now) ? $0 : $0 + $1.bytes } / UInt64(Self.seconds)
    }

    private mutating func prune(_ now: Instant) { marks.removeAll { Self.isOld($0.at, now) } }

    private static func isOld(_ at: Instant, _ now: Instant) -> Bool { (now - at).microseconds > seconds * 1_000_000 }
}
