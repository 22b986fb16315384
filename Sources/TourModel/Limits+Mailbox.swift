/// Bounds of what goes to a server and comes from it. Source: `Protocol/09-mailbox.md`, "Limits".
extension Limits {
    /// Events of one push.
    package static let mailboxPushEventsMax = 1_000
    /// Their bytes: as base64, with what stands around them, they stay below the server's 4 MiB.
    package static let mailboxPushBytesMax = 2_500_000
    /// An answer that is longer is not read: a server's largest has 1 MiB of events.
    package static let mailboxAnswerBytesMax = 8 * 1024 * 1024
    /// Control events of one answer or request, and their bytes.
    package static let mailboxControlsMax = 1_000
    package static let mailboxControlBytesMax = 1024 * 1024
    /// Authors that one request for events names: the address stays below what proxies let through.
    package static let mailboxAuthorsMax = 48
    /// A head that somebody says of a server counts for no more than this; no log is as long.
    package static let mailboxHeadMax: UInt64 = 1 << 48
    /// Rows on a server's frontier in one message.
    package static let syncedRowsMax = 16
    /// A file that goes through a server, sealed: what it takes of one.
    package static let mailboxFileBytesMax: UInt64 = 64 * 1024 * 1024
    /// Chunks of a file in one request, either way: a megabyte, which a connection that breaks off costs.
    package static let mailboxChunksMax = 16
}
