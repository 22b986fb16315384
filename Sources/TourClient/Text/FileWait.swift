import TourAPI
import TourWords

/// The words to a user who waits for a file while nothing arrives.
package struct FileWait {
    /// A neighbour that has just arrived needs a moment to say what it has.
    package static let patience: Duration = .seconds(5)

    private var since: Duration?
    private var isSaid = false

    package init() {}

    /// - Parameter elapsed: since the waiting began.
    /// - Returns: the words to print now; nil: nothing new. Each note is given once.
    package mutating func nextPhrase(for file: FileSummary, at elapsed: Duration) -> Phrase? {
        guard file.state == .waiting else {
            since = nil
            return nil
        }
        let start = since ?? elapsed
        since = start
        guard !isSaid, elapsed - start >= Self.patience else { return nil }
        isSaid = true
        return file.have > 0
            ? Phrase(
                "Nobody near has the rest of it; still waiting. It comes when somebody who has it is in reach.")
            : Phrase("Nobody near has it; still waiting. It comes when somebody who has it is in reach.")
    }
}
