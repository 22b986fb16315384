import FoundationEssentials
import Glibc
import TourSimulator

/// Reports the progress of measuring, and the results.
struct MeasureReport: Sendable {
    let json: Bool
    let total: Int
    /// The measured commit: `Scripts/simulate` sets it.
    private let commit = getenv("TOUR_COMMIT").map { String(cString: $0) } ?? "unknown"

    init(json: Bool, total: Int) {
        self.json = json
        self.total = total
    }

    func start(_ conditions: MeasureConditions, seed: UInt64, messages: Int, rate: Int) {
        let record = ConditionsRecord(conditions, seed: seed, messages: messages, rate: rate, commit: commit)
        if json { return line(record) }
        print(
            """
            tour-sim measure, seed \(seed), commit \(commit)
            A hop takes \(Figure.plain(record.latencyMs)) to \(Figure.plain(record.latencyMs + record.jitterMs)) ms. \
            Loss is at each receiver of a datagram and of each TCP segment (resent after \
            \(Figure.plain(record.retransmissionMs)) ms, doubling); a link carries \
            \(conditions.bytesPerSecond / 125_000) Mbit/s.
            \(messages) messages, \(rate) a second, of \(conditions.textBytes) bytes, from members by chance.
            One processor a member: \(Figure.plain(record.eventWorkMs)) ms an event, \
            \(Figure.plain(record.furtherEventWorkMs)) ms each further one under one signature, \
            \(Figure.plain(record.claimWorkMs)) ms a claim; the author's disk \(Figure.plain(record.authorDiskMs)) ms.
            Latency: from the author's send until a member has stored it and can show it, over all pairs of a message \
            and a member. Bytes: everything on the wire, headers down to Ethernet's, acknowledgements and what is \
            resent included; mDNS, ARP and IGMP are not. Total: while messages go out, and 10 s more. Less idle: less \
            what as long a time without messages costs.

            """)
    }

    func progress(done: Int) {
        if showsProgress { write("\(done) of \(total) measurements") }
    }

    /// Removes the progress from the screen.
    func ended() {
        if showsProgress { write("") }
    }

    func show(_ results: [MeasureResult], members: [Int], losses: [Int]) {
        if json {
            for result in results { line(MeasureRecord(result)) }
            return
        }
        let broadcasts = results.compactMap { result -> BroadcastResult? in
            guard case .broadcast(let broadcast) = result else { return nil }
            return broadcast
        }
        if !broadcasts.isEmpty {
            for text in MeasureTable(broadcasts, members: members, losses: losses).lines { print(text) }
            print("")
        }
        for result in results {
            if let text = MeasureLines.text(of: result, lossMax: losses.last ?? 0) { print(text) }
        }
        let failed = results.filter { !$0.isDelivered }
        if !failed.isEmpty { print("\(failed.count) of \(results.count) measurements: NOT EVERYTHING WAS DELIVERED") }
    }

    private var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

    private func write(_ text: String) {
        let bytes = Array("\r\u{1B}[K\(text)".utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    private func line(_ record: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(record) else { return }
        print(String(decoding: data, as: UTF8.self))
    }
}

/// Numbers as a table shows them.
enum Figure {
    static func text(_ value: Double, digits: Int) -> String {
        guard value >= 0 else { return "-" + text(-value, digits: digits) }
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((value * Double(scale)).rounded())
        guard digits > 0 else { return String(scaled) }
        let part = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: digits - part.count) + part
    }

    static func milliseconds(_ duration: Duration) -> Double { duration / Duration.milliseconds(1) }

    /// One decimal below ten, none above.
    static func shortMilliseconds(_ duration: Duration) -> String {
        let value = milliseconds(duration)
        return text(value, digits: value < 9.95 ? 1 : 0)
    }

    /// As written, without a point for an integer.
    static func plain(_ value: Double) -> String { value == value.rounded() ? String(Int(value)) : "\(value)" }

    /// Three significant digits, and at most three after the point.
    static func short(_ value: Double) -> String {
        let size = abs(value)
        return text(value, digits: size < 0.1 ? 3 : size < 10 ? 2 : size < 100 ? 1 : 0)
    }

    static func kilobytes(_ bytes: Int) -> String { short(Double(bytes) / 1_000) + " kB" }
}
