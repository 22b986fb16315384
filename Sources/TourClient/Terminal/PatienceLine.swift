import TourWords

/// Words on the terminal while an answer takes longer than people like to wait in silence.
enum PatienceLine {
    static let patience: Duration = .seconds(1)

    /// Does the work; after a second, shows the words until it is done.
    static func around<Result: Sendable>(
        _ words: Phrase, _ output: Output, _ work: () async throws -> Result
    ) async throws -> Result {
        async let _ = show(words, output)
        return try await work()
    }

    /// Ends only with its task.
    private static func show(_ words: Phrase, _ output: Output) async throws {
        let line = StatusLine(output: output)
        defer { line.end() }
        try await Task.sleep(for: patience)
        line.show(DisplayWidth.fitting(TerminalText.safe(words.text), columns: TerminalSize.of(.error).columns - 1))
        while true { try await Task.sleep(for: .seconds(3_600)) }
    }
}
