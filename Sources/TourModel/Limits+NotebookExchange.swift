/// What is attached to places in the notebook.
extension Limits {
    /// The most bytes of pictures and a file added to a place in one go: all are in memory at the same time.
    package static let notebookAttachedBytesMax = 128 * 1_024 * 1_024
}
