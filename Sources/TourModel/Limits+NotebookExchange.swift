/// What a user brings into the notebook at once. Source: `Protocol/12-notebook.md`, "Import and export".
extension Limits {
    /// A file that is imported, in bytes: more than any device's list of places.
    package static let notebookImportBytesMax = 64 * 1_024 * 1_024
    /// Pictures and a file that are added to a place in one go, in bytes together: they are in memory at the same time.
    package static let notebookAttachedBytesMax = 128 * 1_024 * 1_024
}
