/// How far something is, on one line of a terminal's standard error; nothing where that is none.
final class ProgressMeter {
    private let isShown: Bool
    private let title: String
    private var last = -1

    init(output: Output, title: String) {
        isShown = !output.json && StandardStream.error.isTerminal
        self.title = title
    }

    /// - Parameter percent: 0 to 100.
    func show(_ percent: Int) {
        guard isShown, percent != last else { return }
        last = percent
        try? StandardStream.error.write("\r\(title): \(percent) %".utf8)
    }

    /// The line is free again.
    func end() {
        if last >= 0 { try? StandardStream.error.write("\r\u{1B}[K".utf8) }
    }
}
