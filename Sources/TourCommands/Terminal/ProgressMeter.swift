/// How far something is, on one line of a terminal's standard error; nothing where that is none.
final class ProgressMeter {
    private let line: StatusLine
    private let title: String

    init(output: Output, title: String) {
        line = StatusLine(output: output)
        self.title = title
    }

    /// - Parameter percent: 0 to 100.
    /// - Parameter more: what stands behind it, if anything.
    func show(_ percent: Int, _ more: String = "") { line.show("\(title): \(percent) %\(more)") }

    /// The line is free again.
    func end() { line.end() }
}
