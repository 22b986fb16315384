/// Notebooks at the server. Contract: `Protocol/Schema/openapi.yaml`.
extension ServerLimits {
    /// A delta, in bytes of JSON: ten thousand saved places in one, some hundred bytes each and more.
    package static let deltaBodyMax = 16 * 1024 * 1024
    /// A delta that is no longer waits for no turn: some hundred saved places.
    package static let deltaBodyLight = 256 * 1024
    /// Items in a delta either way, and what it deletes.
    package static let deltaItemsMax = 20_000
    /// The contents of one answer, in bytes; what is behind comes with the next delta.
    package static let deltaAnswerBytes = 16 * 1024 * 1024
    /// Rows read at a time for it.
    package static let deltaReadAtOnce = 500
    /// A device's name for itself, in bytes: a UUID and more.
    package static let deviceBytesMax = 64
    /// A version, which grows by one: the largest whole number that every JSON reader takes.
    package static let itemVersionMax: Int64 = 1 << 53
    /// Ids of one account that are remembered as deleted: as many as there may be items, and of such as never were
    /// there few: a device deletes those only where the server is an older copy of itself.
    package static let deletedItemsMax: Int64 = 250_000
    package static let deletedUnknownMax: Int64 = 1_000
    /// All contents of one notebook: a thousand of the longest notes, or half a million saved places.
    package static let notebookBytesMax: Int64 = 256 * 1024 * 1024

    /// An upsert: all of it, its payload, its parts and the head of one part, in bytes.
    package static let upsertBytesMax: Int64 = 256 * 1024 * 1024
    package static let upsertPayloadMax = 4 * 1024 * 1024
    package static let upsertPartsMax = 64
    package static let partHeadBytesMax = 4 * 1024
    /// A boundary between parts, in characters. Source: RFC 2046, section 5.1.1.
    package static let boundaryCharacters = 1...70
    /// A file's name as it was sent, and its media type, in bytes.
    package static let fileNameBytesMax = 255
    package static let mediaTypeBytesMax = 127
    /// All files of one account, those that are still coming included, in bytes.
    package static let accountFileBytesMax: Int64 = 2 * 1024 * 1024 * 1024
    /// How long a file that nothing names any more is kept, in seconds: what was deleted may be restored.
    package static let unusedFileLifetime: Int64 = 24 * 60 * 60
    /// What is written at once to a file that comes, in bytes.
    package static let uploadPieceBytes = 64 * 1024
}
