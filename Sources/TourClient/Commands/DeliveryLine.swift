import TourAPI

/// A line on the terminal with how many members have a message and who is missing, until all have it or time is up.
struct DeliveryLine {
    private static let patience: Duration = .seconds(30)
    private static let pause: Duration = .milliseconds(500)

    /// The path of the message's receipts.
    let path: String
    /// The id, as `receipts` takes it.
    let id: String

    /// Only on a terminal, and only on one that can rewrite a line.
    static var isPossible: Bool { StandardStream.output.isTerminal && environmentValue("TERM") != "dumb" }

    func run(_ client: LocalClient) async throws {
        // Without a network there is nothing to wait for.
        guard !client.isOffline else { return }
        let end = ContinuousClock.now + Self.patience
        var summary = try await receipts(client)
        guard summary.counts.members > 0 else { return }
        // Whatever happens, further output starts on a line of its own.
        defer { try? StandardStream.output.write("\n".utf8) }
        while true {
            let isOver = ContinuousClock.now >= end
            let columns = TerminalSize.current.columns - 1
            let line = isOver ? summary.lastLine(id: id, columns: columns) : summary.line(columns: columns)
            try StandardStream.output.write("\r\(line)\u{1B}[K".utf8)
            guard !summary.missing.isEmpty, !isOver else { return }
            try await Task.sleep(for: Self.pause)
            summary = try await receipts(client)
        }
    }

    private func receipts(_ client: LocalClient) async throws -> Receipts { try await client.ask(.GET, path) }
}
