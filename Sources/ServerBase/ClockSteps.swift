/// Whether the wall clock may be believed when it says that days are over: it is held against a clock that nobody sets.
/// One that was set ahead by mistake would have tours deleted in their notice.
package struct ClockSteps: Sendable {
    /// The wall clock less the steady one, the least that was found: microseconds.
    private var offset: Int64?
    /// When the wall clock was first found ahead, by the steady clock; nil: it is not.
    private var aheadSince: Int64?
    /// A clock that stays ahead for this long is believed: it was behind before.
    private static let patience = ServerLimits.tourNoticeDays * 86_400 * 1_000_000

    /// Believes the first time that it is told.
    package init() {}

    /// - Parameter now: by the wall clock; microseconds since 1970.
    /// - Parameter steady: by a clock that also runs while the machine sleeps; microseconds since any moment, the same
    ///   each time.
    package mutating func isTrusted(_ now: Int64, steady: Int64) -> Bool {
        let found = now - steady
        guard let trusted = offset, found - trusted > ServerLimits.clockStepMax else {
            offset = min(offset ?? found, found)
            aheadSince = nil
            return true
        }
        let since = aheadSince ?? steady
        aheadSince = since
        guard steady - since >= Self.patience else { return false }
        (offset, aheadSince) = (found, nil)
        return true
    }
}
