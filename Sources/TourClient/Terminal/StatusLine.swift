/// One line of a terminal's standard error that is rewritten again and again; silent where that is no terminal.
final class StatusLine {
    let isShown: Bool
    private var last = ""

    init(output: Output) { isShown = !output.json && StandardStream.error.isTerminal }

    func show(_ text: String) {
        guard isShown, text != last else { return }
        last = text
        try? StandardStream.error.write("\r\(text)\u{1B}[K".utf8)
    }

    /// Releases the line.
    func end() {
        if !last.isEmpty { try? StandardStream.error.write("\r\u{1B}[K".utf8) }
        last = ""
    }
}
