/// Notebooks at the server. Contract: `Protocol/Schema/openapi.yaml`.
extension ServerLimits {
    /// Rows of a notebook that wait to be written together.
    package static let rowsWrittenTogether = 500
    /// A delta, in bytes of JSON: ten thousand saved places of over a kilobyte each.
    package static let deltaBodyMax = 16 * 1024 * 1024
    /// A delta of at most this many bytes need not wait its turn: some hundred saved places.
    package static let deltaBodyLight = 256 * 1024
    /// Items that one delta sends, items that it receives, and items that it deletes: at most this many of each.
    package static let deltaItemsMax = 20_000
    /// The contents of one answer, in bytes; the rest comes with the next delta.
    package static let deltaAnswerBytes = 16 * 1024 * 1024
    /// Rows read at a time for an answer.
    package static let deltaReadAtOnce = 500
    /// The name that a device gives itself, in bytes: room for more than a UUID.
    package static let deviceBytesMax = 64
    /// A version, which grows by one with each change: the largest whole number that every JSON reader handles.
    package static let itemVersionMax: Int64 = 1 << 53
    /// Deleted ids of one account that the server remembers: as many as a notebook may have items.
    package static let deletedItemsMax: Int64 = 250_000
    /// Of those, ids that never existed here: few, since a device deletes them only after the server was restored from
    /// an older copy.
    package static let deletedUnknownMax: Int64 = 1_000
    /// All contents of one notebook, in bytes: a thousand of the longest notes, or half a million saved places.
    package static let notebookBytesMax: Int64 = 256 * 1024 * 1024

    /// An upsert as a whole, in bytes.
    package static let upsertBytesMax: Int64 = 256 * 1024 * 1024
    /// The payload of an upsert, in bytes.
    package static let upsertPayloadMax = 4 * 1024 * 1024
    /// The parts of an upsert.
    package static let upsertPartsMax = 64
    /// The head of one part, in bytes.
    package static let partHeadBytesMax = 4 * 1024
    /// A boundary between parts, in characters.
    /// Source: RFC 2046, section 5.1.1.
    package static let boundaryCharacters = 1...70
    /// A file's name, in bytes.
    package static let fileNameBytesMax = 255
    /// A file's media type, in bytes.
    package static let mediaTypeBytesMax = 127
    /// The files of one account that have arrived whole, in bytes, unless the operator says otherwise.
    package static let accountRoom: Int64 = 2 * 1024 * 1024 * 1024
    /// The same of a guest, and of an account until its phone or address is proven: anybody makes one, and another.
    package static let guestRoom: Int64 = 16 * 1024 * 1024
    /// The texts and files of all notebooks, in bytes, unless the operator says otherwise.
    package static let notebooksRoom: Int64 = 16 * 1024 * 1024 * 1024
    /// The bounds of an operator's value for each of these, in bytes.
    package static let roomRange: ClosedRange<Int64> = (1 << 20)...(1 << 50)
    /// How long a file is kept once no item refers to it, in seconds: a deleted item may be restored.
    package static let unusedFileLifetime: Int64 = 24 * 60 * 60
    /// How long an address opens a file without a token, in seconds, at most: a day's use of what an app was told. At
    /// least half of it is left when an answer has it.
    package static let fileAddressLifetime: Int64 = 24 * 60 * 60
    /// How much of an arriving file is written at once, in bytes.
    package static let uploadPieceBytes = 64 * 1024
}
