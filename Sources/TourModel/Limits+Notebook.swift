/// The notebook: notes, saved places, itineraries. Source: `Protocol/12-notebook.md`, "Items".
extension Limits {
    /// A title or name, in bytes of UTF-8: some lines.
    package static let notebookTitleBytesMax = 1_024
    /// A note, in bytes of UTF-8: a hundred pages.
    package static let notebookTextBytesMax = 256 * 1_024
    /// The longest URL, as in browsers.
    package static let notebookURLBytesMax = 4 * 1_024
    /// The longest short word: a source, an icon, a colour, a kind of stop.
    package static let notebookWordBytesMax = 128
    /// The most tags of a saved place.
    package static let notebookTagsMax = 64
    /// The most pictures of a saved place.
    package static let notebookPicturesMax = 32
    /// The most stops of an itinerary: a year of days with a few stops each.
    package static let notebookStopsMax = 2_000
    /// The most items of all kinds together in a notebook; deleted ones do not count.
    package static let notebookItemsMax = 250_000
    /// A picture or file of a saved place, in bytes.
    package static let notebookFileBytesMax = 32 * 1_024 * 1_024
}
