import FoundationEssentials
import Glibc
import TourSimulator

/// Reports the progress and the results.
struct SimulationReport: Sendable {
    let json: Bool
    /// The largest number of nodes that a seed draws.
    let nodes: Int
    let total: Int
    /// The tested commit: `Scripts/simulate` sets it.
    let commit = getenv("TOUR_COMMIT").map { String(cString: $0) } ?? "unknown"

    private var showsProgress: Bool { !json && isatty(STDERR_FILENO) == 1 }

    func played(_ result: SwarmResult, _ tally: Tally) {
        if json { line(SeedRecord(result)) }
        if showsProgress { progress("\(tally.seeds) of \(total) seeds, \(tally.failed.count) failed") }
    }

    /// Removes the progress from the screen.
    func ended() {
        if showsProgress { progress("") }
    }

    func failed(_ result: SwarmResult, smallest: SwarmResult?) {
        guard let failure = result.failure else { return }
        if json {
            if let smallest { line(SmallestRecord(smallest)) }
            return
        }
        print("seed \(result.seed) failed: \(failure) (commit \(commit))")
        print("  again:    tour-sim --seed \(result.seed) --with \(result.options.text)")
        guard let smallest, let less = smallest.failure else { return }
        print("  smallest: tour-sim --seed \(smallest.seed) --with \(smallest.options.text)")
        print("            \(less)")
    }

    func summary(_ tally: Tally, hidden: Int) {
        if json { return line(SummaryRecord(tally, commit: commit)) }
        if hidden > 0 {
            let seeds = tally.failed.suffix(hidden).prefix(100).map { String($0.seed) }.joined(separator: " ")
            print("\(hidden) more seeds failed: \(seeds)")
        }
        print(
            """
            \(tally.seeds) seeds of up to \(nodes) nodes: \(tally.events) events, \(tally.virtualSeconds) s of virtual \
            time, convergence after at most \(tally.slowest), links repaired after at most \(tally.slowestRepair), \
            \(tally.failed.count) failed (commit \(commit))
            """)
    }

    private func progress(_ text: String) {
        let bytes = Array("\r\u{1B}[K\(text)".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    private func line(_ record: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(record) else { return }
        print(String(decoding: data, as: UTF8.self))
    }
}

/// One seed, as `--json` prints it.
private struct SeedRecord: Encodable {
    let seed: UInt64
    let options: String
    /// In hexadecimal: JSON's numbers are not long enough.
    let trace: String
    let virtualSeconds: Int64
    let convergenceSeconds: Double?
    let events: Int
    let messages: Int
    let bytes: Int
    /// Where nodes choose their links: until all had their neighbours again; and after the loss of a neighbour, how
    /// often and how soon the node that lost it had all of them again.
    let repairSeconds: Double?
    let dials: Int
    let repairs: Int
    let repairSecondsMean: Double
    let repairSecondsMost: Double
    let checker: String?
    let problem: String?

    init(_ result: SwarmResult) {
        seed = result.seed
        options = result.options.text
        trace = String(result.trace, radix: 16)
        virtualSeconds = result.virtualTime.components.seconds
        convergenceSeconds = result.convergence.map { $0 / Duration.seconds(1) }
        events = result.events
        messages = result.counts.messages
        bytes = result.counts.bytes
        repairSeconds = result.repair.map { $0 / Duration.seconds(1) }
        dials = result.overlay.dials
        repairs = result.overlay.repairs
        repairSecondsMean = result.overlay.repairMean / Duration.seconds(1)
        repairSecondsMost = result.overlay.repairLongest / Duration.seconds(1)
        checker = result.failure?.checker
        problem = result.failure?.problem
    }
}

/// The smallest failing case of a seed.
private struct SmallestRecord: Encodable {
    let smallest: SeedRecord

    init(_ result: SwarmResult) { smallest = SeedRecord(result) }
}

private struct SummaryRecord: Encodable {
    let commit: String
    let seeds: Int
    let failed: [UInt64]
    let events: Int
    let virtualSeconds: Int64

    init(_ tally: Tally, commit: String) {
        self.commit = commit
        seeds = tally.seeds
        failed = tally.failed.map(\.seed)
        events = tally.events
        virtualSeconds = tally.virtualSeconds
    }
}
