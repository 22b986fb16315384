/// Bounds of the exchange with a server. Source: `Protocol/09-mailbox.md`, "Limits".
extension Limits {
    /// The most events in one push.
    package static let mailboxPushEventsMax = 1_000
    /// The most bytes of these: as base64, with the text around them, they stay below the server's 4 MiB.
    package static let mailboxPushBytesMax = 2_500_000
    /// The longest answer that is read: a server's largest has 1 MiB of events.
    package static let mailboxAnswerBytesMax = 8 * 1024 * 1024
    /// The most control events in one answer or request, and their bytes.
    package static let mailboxControlsMax = 1_000
    /// The most bytes of these control events.
    package static let mailboxControlBytesMax = 1024 * 1024
    /// The most authors in one request for events: the URL stays below what proxies allow.
    package static let mailboxAuthorsMax = 48
    /// The highest head that counts in a member's statement about a server; no log is as long.
    package static let mailboxHeadMax: UInt64 = 1 << 48
    /// The most rows on a server's frontier in one message.
    package static let syncedRowsMax = 16
    /// The largest file that goes through a server, sealed: a server accepts no larger one.
    package static let mailboxFileBytesMax: UInt64 = 64 * 1024 * 1024
    /// The most chunks in one request, either way: a megabyte, the cost of a broken connection.
    package static let mailboxChunksMax = 16
}
