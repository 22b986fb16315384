/// The notebook: notes, saved places, itineraries. Source: `Protocol/12-notebook.md`, "Items".
extension Limits {
    /// A title or name, in bytes of UTF-8: some lines.
    package static let notebookTitleBytesMax = 1_024
    /// A note, in bytes of UTF-8: a hundred pages.
    package static let notebookTextBytesMax = 256 * 1_024
    /// An address, as browsers take them.
    package static let notebookURLBytesMax = 4 * 1_024
    /// A short word: a source, an icon, a colour, a kind of stop.
    package static let notebookWordBytesMax = 128
    /// Tags of a saved place.
    package static let notebookTagsMax = 64
    /// Pictures of a saved place.
    package static let notebookPicturesMax = 32
    /// Stops of an itinerary: a year of days with a few stops each.
    package static let notebookStopsMax = 2_000
    /// What a notebook holds of every kind together; what was deleted counts not.
    package static let notebookItemsMax = 250_000
    /// A picture or file of a saved place, in bytes.
    package static let notebookFileBytesMax = 32 * 1_024 * 1_024
    /// Items in one exchange with the server, either way, as a node asks for it.
    package static let notebookBatchMax = 1_000
    /// A version of an item: what counts further is no count of edits, and one more must still be a number.
    package static let notebookVersionMax: Int64 = 1 << 53
    /// The bytes of such a request's items.
    package static let notebookBatchBytesMax = 4 * 1_024 * 1_024
    /// An answer of a server that is longer is not read: the contents of one have 16 MiB, and what stands around them.
    package static let notebookAnswerBytesMax = 24 * 1_024 * 1_024
}
