/// What an import into the notebook did. Source: `Protocol/Schema/local-api.yaml`, `NotebookImport`.
package struct NotebookImport: Encodable, JSONObject {
    /// An entry that was not imported.
    package struct Skipped: Encodable, JSONObject {
        /// Its number in the file, from 1.
        package var number: Int
        package var title: String
        /// In the reader's words.
        package var reason: String
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
}
