import Glibc
import TourModel
import TourRuntime

/// The two clocks of a node. The pure machines get their readings as arguments.
enum NodeClock {
    /// Never steps, and counts while the machine sleeps: after a sleep of a minute a link is a minute older.
    static var now: Instant { Instant(microseconds: microseconds(of: CLOCK_BOOTTIME)) }

    /// Both clocks.
    static var reading: ClockReading { ClockReading(now: now, wallMicroseconds: wallMicroseconds) }

    /// Microseconds since 1970, by the machine's clock.
    static var wallMicroseconds: Int64 { microseconds(of: CLOCK_REALTIME) }

    static var wallMilliseconds: Int64 { wallMicroseconds / 1_000 }

    private static func microseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
