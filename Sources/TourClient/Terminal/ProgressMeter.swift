import TourWords

/// A progress in percent, on one line of a terminal's standard error; silent where that is no terminal.
package final class ProgressMeter {
    private let line: StatusLine
    private let title: Phrase

    /// - Parameter title: what makes the progress.
    package init(output: Output, title: Phrase) {
        line = StatusLine(output: output)
        self.title = title
    }

    /// - Parameter percent: 0 to 100.
    /// - Parameter more: text after it, if any.
    package func show(_ percent: Int, _ more: Phrase? = nil) {
        let words = more.map { Phrase("\(title): \(percent) %, \($0)") } ?? Phrase("\(title): \(percent) %")
        line.show(words.text)
    }

    /// Releases the line.
    package func end() { line.end() }
}
