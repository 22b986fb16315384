/// What guides share of their notebooks. Source: `Protocol/12-notebook.md`, "Shared records".
extension Limits {
    /// The data in one part of a shared record: with its title and envelope it fits a sealed body. All parts but the
    /// last one have so much.
    package static let sharedPartBytesMax = 16 * 1_024
    /// Parts of one version: a mebibyte, sixteen of which are all that an author may say.
    package static let sharedPartsMax = 64
    /// The highest version of a shared record: the whole numbers that every reader of JSON keeps exact.
    package static let sharedVersionMax: UInt64 = 1 << 53 - 1
    /// The longest event of class profile that changes how others are shown: names, withdrawals and answers, in bytes.
    /// Longer ones are parts of shared records, which nobody reads before somebody asks for them.
    package static let decorationBytesMax = 1_024
}
