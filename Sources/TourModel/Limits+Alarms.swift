/// Alarms. Source: `Protocol/05-events.md`, "Alarms"; `Protocol/06-replication.md`, "Ahead of the log".
extension Limits {
    /// Of the words of one.
    package static let alarmTextBytesMax = 1_024
    /// Members that are named as near.
    package static let alarmNearMax = 16
    /// How long one stands that nobody ends.
    package static let alarmLifetimeMilliseconds: Int64 = 24 * 3_600_000
    /// Events of class 1 that somebody without a rank sends ahead of everything: so many at once, and one more after
    /// each pause.
    package static let alarmsAheadMax = 4
    package static let alarmAheadPause: Duration = .seconds(20)
}
