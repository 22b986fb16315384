import Glibc
import TourModel

/// The two clocks of a node. The pure machines get their readings as arguments.
enum NodeClock {
    /// Never steps, and counts while the machine sleeps: after a sleep of a minute a link is a minute older.
    static var now: Instant { Instant(microseconds: reading(CLOCK_BOOTTIME)) }

    /// Microseconds since 1970, by the machine's clock.
    static var wallMicroseconds: Int64 { reading(CLOCK_REALTIME) }

    static var wallMilliseconds: Int64 { wallMicroseconds / 1_000 }

    private static func reading(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
