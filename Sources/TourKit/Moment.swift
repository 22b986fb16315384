import TourModel
import TourRuntime

/// The readings of both clocks of a device at one moment. The library has no clock: every call that depends on the time
/// gets one of these.
///
/// ```swift
/// // Linux, Android; on Apple's systems CLOCK_MONOTONIC counts while the device sleeps too.
/// func now() -> Moment {
///     var uptime = timespec(), wall = timespec()
///     clock_gettime(CLOCK_BOOTTIME, &uptime)
///     clock_gettime(CLOCK_REALTIME, &wall)
///     return Moment(
///         uptime: .seconds(uptime.tv_sec) + .nanoseconds(uptime.tv_nsec),
///         since1970: .seconds(wall.tv_sec) + .nanoseconds(wall.tv_nsec))
/// }
/// ```
public struct Moment: Hashable, Sendable {
    /// By a clock that never steps and counts while the device sleeps. Where it begins does not matter.
    public var uptime: Duration
    /// Since 1970 (UTC), by the device's clock, which may be wrong and may be set.
    public var since1970: Duration

    /// The readings of both clocks.
    public init(uptime: Duration, since1970: Duration) {
        self.uptime = uptime
        self.since1970 = since1970
    }

    var reading: ClockReading {
        ClockReading(now: Instant(microseconds: uptime.microseconds), wallMicroseconds: since1970.microseconds)
    }
}
