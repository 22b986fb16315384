/// Alarms. Source: `Protocol/05-events.md`, "Alarms"; `Protocol/06-replication.md`, "Ahead of the log".
extension Limits {
    /// The longest text of an alarm.
    package static let alarmTextBytesMax = 1_024
    /// The most members that an alarm names as near.
    package static let alarmNearMax = 16
    /// The lifetime of an alarm that nobody ends.
    package static let alarmLifetimeMilliseconds: Int64 = 24 * 3_600_000
    /// The events of class 1 that an unranked member may send ahead of everything: this many at once, then one more
    /// after each pause.
    package static let alarmsAheadMax = 4
    /// The pause before one more such event.
    package static let alarmAheadPause: Duration = .seconds(20)
}
