/// The urgency of a link message: a lower lane overtakes a higher one between two slices.
/// Source: `Protocol/04-framing.md`, "Lanes".
package enum Lane: UInt8, CaseIterable, Comparable, Sendable {
    /// Control events, announcements, handshake follow-ups.
    case urgent = 0
    /// Members' messages, as they are written.
    case chat = 1
    /// Frontiers and claims.
    case receipts = 2
    /// Missed events.
    case catchUp = 3
    /// Files, which are a thousand times as long as everything else.
    case blobs = 4

    package static func < (left: Lane, right: Lane) -> Bool { left.rawValue < right.rawValue }
}
