// An import tells this of each entry.
extension NotebookImport {
    /// The outcome of one entry.
    package struct Row: Hashable, Sendable {
        /// The results; the raw values are those of the local API.
        package enum Result: String, Sendable {
            case added, changed, unchanged, different, skipped
        }

        /// The entry's position in the file, from 1.
        package var number: Int
        /// The title in the file, if there is one.
        package var title: String
        /// Its outcome.
        package var result: Result
        /// Why it was skipped.
        package var fault: EntryFault?
        /// The values that its item did not get.
        package var losses: [EntryLoss] = []
    }

    /// The most entries of each list that an answer tells without being asked for each entry.
    package static let rowsToldMax = 100
    /// The number of entries that are already here unchanged.
    package var unchanged: Int { count(.unchanged) }
    /// The number of entries that are here with other content, which stays.
    package var different: Int { count(.different) }
    /// The entries that cannot be imported.
    package var skipped: [Row] { rows.filter { $0.result == .skipped } }
    /// The entries whose items did not get all that the file says.
    package var partial: [Row] { rows.filter { !$0.losses.isEmpty } }

    private func count(_ result: Row.Result) -> Int { rows.count { $0.result == result } }
}
