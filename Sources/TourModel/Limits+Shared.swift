/// Records that guides share from their notebooks. Source: `Protocol/12-notebook.md`, "Shared records".
extension Limits {
    /// The data in one part of a shared record: with its title and envelope it fits a sealed body. All parts but the
    /// last have this size.
    package static let sharedPartBytesMax = 16 * 1_024
    /// The most parts of one version: a mebibyte, a sixteenth of an author's share.
    package static let sharedPartsMax = 64
    /// The highest version of a shared record: the largest whole number that every JSON reader keeps exact.
    package static let sharedVersionMax: UInt64 = 1 << 53 - 1
    /// The longest event of class profile that changes how others are shown: names, withdrawals and answers, in bytes.
    /// Longer ones are parts of shared records, which are read only on request.
    package static let decorationBytesMax = 1_024
}
