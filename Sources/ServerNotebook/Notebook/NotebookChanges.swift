import TourNotebook

/// The changes in a notebook behind a stamp.
struct NotebookChanges: Sendable {
    /// In the order of their stamps.
    var rows: [NotebookRow] = []
    /// The last row's stamp if more changes follow; else nil.
    var next: Int64?
}
