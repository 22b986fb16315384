import TourWords

/// How far something is, on one line of a terminal's standard error; nothing where that is none.
final class ProgressMeter {
    private let line: StatusLine
    private let title: Phrase

    init(output: Output, title: Phrase) {
        line = StatusLine(output: output)
        self.title = title
    }

    /// - Parameter percent: 0 to 100.
    /// - Parameter more: what stands behind it, if anything.
    func show(_ percent: Int, _ more: Phrase? = nil) {
        let words = more.map { Phrase("\(title): \(percent) %, \($0)") } ?? Phrase("\(title): \(percent) %")
        line.show(words.text)
    }

    /// The line is free again.
    func end() { line.end() }
}
