/// How far one author's messages have got, as sequences that never decrease. Values above 2^63 - 1 are stored as that.
package struct Watermark: Hashable, Sendable {
    /// The author of the messages.
    package let author: MemberID
    /// Sent to at least one other member.
    package var sentThrough: UInt64
    /// Held by every recipient.
    package var deliveredThrough: UInt64
    /// Read by every recipient.
    package var readThrough: UInt64
    /// Held by peers, as a link last reported.
    package var syncedThrough: UInt64

    package init(
        author: MemberID, sentThrough: UInt64 = 0, deliveredThrough: UInt64 = 0, readThrough: UInt64 = 0,
        syncedThrough: UInt64 = 0
    ) {
        self.author = author
        self.sentThrough = sentThrough
        self.deliveredThrough = deliveredThrough
        self.readThrough = readThrough
        self.syncedThrough = syncedThrough
    }
}
