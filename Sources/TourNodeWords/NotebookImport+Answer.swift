import TourAPI
import TourNotebook
import TourPresentation
import TourWords

extension TourNotebook.NotebookImport {
    /// - Parameter withRows: whether to list each entry.
    package func answer(withRows: Bool) -> TourAPI.NotebookImport {
        let (skipped, partial) = (skipped, partial)
        return TourAPI.NotebookImport(
            added: additions.count, changed: changes.count, unchanged: unchanged, different: different,
            skippedCount: skipped.count, skipped: skipped.prefix(Self.rowsToldMax).map(\.told),
            partialCount: partial.count, partial: partial.prefix(Self.rowsToldMax).map(\.told),
            unreadColumns: remarks.unreadColumns, isEncodingGuessed: remarks.isEncodingGuessed,
            unnamedPoints: remarks.unnamedPoints, otherKinds: remarks.otherKinds,
            rows: withRows
                ? rows.map {
                    .init(number: $0.number, title: $0.title, result: $0.result.rawValue, reason: $0.reason?.spoken)
                } : [])
    }
}

extension TourNotebook.NotebookImport.Row {
    fileprivate var told: TourAPI.NotebookImport.Skipped {
        .init(number: number, title: title, reason: reason?.spoken ?? "")
    }

    fileprivate var reason: Phrase? {
        let losses = losses.map(\.phrase)
        return fault?.phrase ?? (losses.isEmpty ? nil : Phrase(list: losses))
    }
}
