/// What an import into the notebook did. Source: `Protocol/Schema/local-api.yaml`, `NotebookImport`.
package struct NotebookImport: Encodable, JSONObject {
    /// An entry that was not imported, or not with all that it says.
    package struct Skipped: Encodable, JSONObject {
        /// Its number in the file, from 1.
        package var number: Int
        package var title: String
        /// In the reader's words.
        package var reason: String
    }

    /// An entry, and how the import dealt with it.
    package struct Row: Encodable, JSONObject {
        /// Its number in the file, from 1.
        package var number: Int
        package var title: String
        /// `added`, `changed`, `unchanged`, `different` or `skipped`.
        package var result: String
        /// Why it was not imported, or what its item did not get, in the reader's words.
        package var reason: String?
    }

    /// Entries that became new items.
    package var added: Int
    /// Items that took the content of an entry.
    package var changed: Int
    /// Entries whose item has the same content already.
    package var unchanged: Int
    /// Entries whose item has other content and was left alone.
    package var different: Int
    /// Entries that were not imported.
    package var skippedCount: Int
    /// The first skipped entries.
    package var skipped: [Skipped]
    /// Entries that were imported without something that they say.
    package var partialCount: Int
    /// The first of these.
    package var partial: [Skipped]
    /// Columns of a table that hold something and were not read.
    package var unreadColumns: [String]
    /// Whether the text was read as Windows-1252 though nothing says that it is.
    package var isEncodingGuessed: Bool
    /// Points of routes and tracks without a name, which are no places.
    package var unnamedPoints: Int
    /// Entries that are no places in a file of which places alone were wanted.
    package var otherKinds: Int
    /// Each entry, if that was asked for; else none.
    package var rows: [Row]
}
