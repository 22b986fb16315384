/// How far something is, on one line of a terminal's standard error; nothing where that is none.
final class ProgressMeter {
    private let isShown: Bool
    private let title: String
    private var last = ""

    init(output: Output, title: String) {
        isShown = !output.json && StandardStream.error.isTerminal
        self.title = title
    }

    /// - Parameter percent: 0 to 100.
    /// - Parameter more: what stands behind it, if anything.
    func show(_ percent: Int, _ more: String = "") {
        let words = "\(percent) %\(more)"
        guard isShown, words != last else { return }
        last = words
        try? StandardStream.error.write("\r\(title): \(words)\u{1B}[K".utf8)
    }

    /// The line is free again.
    func end() {
        if !last.isEmpty { try? StandardStream.error.write("\r\u{1B}[K".utf8) }
    }
}
