/// A transfer's progress, on one line of a terminal's standard error; silent where that is no terminal.
final class TransferMeter {
    /// Shortest time between two updates: a reader sees no more.
    private static let pause: Duration = .milliseconds(100)

    private let line: StatusLine
    private let title: String
    private let isColored: Bool
    private var rate = TransferRate()
    private var shownAt: ContinuousClock.Instant?

    /// - Parameter title: the file's name, as anybody gave it.
    init(output: Output, title: String) {
        line = StatusLine(output: output)
        isColored = output.isColored
        self.title = title
    }

    /// As wide as the terminal is now.
    ///
    /// - Parameter peers: the members that send it, or receive it.
    func show(done: UInt64, total: UInt64, peers: Int, at now: ContinuousClock.Instant = .now) {
        guard line.isShown else { return }
        rate.add(done, at: now)
        if let shownAt, shownAt.duration(to: now) < Self.pause, done < total { return }
        shownAt = now
        let state = TransferLine(
            title: title, done: done, total: total, peers: peers, bytesPerSecond: rate.bytesPerSecond)
        // Filling the last column would let the next letter begin a new line.
        let columns = TerminalSize.of(.error).columns - 1
        line.show(state.text(columns: columns, isColored: isColored))
    }

    /// Releases the line.
    func end() { line.end() }
}
